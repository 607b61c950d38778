/**
 * Makes one data set: files of the generator, then their import into a database, each step timed.
 */
import { statSync } from "node:fs"
import { join } from "node:path"
import { Generate, Import } from "@chemstream/service"
import { Effect } from "effect"
import * as child from "./child.ts"

/** A step: how many records, and in what time. */
export interface Step {
  readonly records: number
  readonly seconds: number
}

/** What the parent is told. */
export interface Made {
  readonly generate: Step
  readonly imports: Readonly<Record<string, Step>>
  readonly memory: child.Memory
  readonly databaseBytes: number
}

const { count, database, folder, seed } = child.options<{
  readonly count: number
  readonly seed: number
  readonly folder: string
  readonly database: string
}>()

const timed = async <A>(effect: Effect.Effect<A, unknown>, records: (result: A) => number): Promise<Step> => {
  const started = performance.now()
  const result = await Effect.runPromise(effect)
  return { records: records(result), seconds: (performance.now() - started) / 1000 }
}

const generate = await timed(Generate.files({ count, seed, folder }), (report) => report.records.details)

const imports: Record<string, Step> = {}
for (const kind of Import.kinds) {
  const files = [join(folder, `${kind}.ndjson`)]
  imports[kind] = await timed(Import[kind]({ database, files }), (report) => report.records)
}

const made: Made = {
  generate,
  imports,
  memory: child.ownMemory(),
  databaseBytes: statSync(database).size
}
process.send?.(made)
process.disconnect?.()
