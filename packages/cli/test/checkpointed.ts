/**
 * Inputs for tests of checkpoints: identifiers in a file, and a service that knows most of them.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Dtxsid } from "@chemstream/api"
import { Result } from "effect"
import { folder } from "./process.ts"

/** Valid identifiers, all different. */
const identifiers = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => Result.getOrThrow(Dtxsid.parse(`DTXSID00${10_000 + index}`)))

/** Whether the service knows an identifier. */
export const isKnown = (id: string): boolean => !id.endsWith("7")

/** The response to a batch: a record for each known identifier. */
export const answerTo = (ids: ReadonlyArray<string>): string =>
  JSON.stringify(ids.filter(isKnown).map((dtxsid) => ({ dtxsid, text: `of ${dtxsid}` })))

/** A folder with a file `ids` of this many identifiers. */
export const setUp = (count: number): { readonly at: string; readonly ids: ReadonlyArray<string> } => {
  const at = folder()
  const ids = identifiers(count)
  writeFileSync(join(at, "ids"), ids.map((id) => `${id}\n`).join(""))
  return { at, ids }
}

/** A promise, and the function that resolves it. */
export const signal = () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { open, opened }
}
