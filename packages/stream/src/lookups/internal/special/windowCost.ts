/** Counts the requests for windows of mass before any is sent. */
import type { Dialect } from "@chemstream/api"
import * as WindowBatch from "./windowBatch.ts"

/** Returns the requests of a service that accepts batches. A window that no batch can have is a request of its own. */
export const of = (windows: ReadonlyArray<string>, dialect: Dialect.Name): number => {
  const { size } = WindowBatch.byDialect(dialect)
  const groups = WindowBatch.groupsOf(windows, dialect)
  const alone = new Set(windows).size - groups.flat().length
  return groups.reduce((sum, { length }) => sum + Math.ceil(length / size), alone)
}
