/** The results of requested keys (records, errors, suggestions by key), and how a response is entered into them. */
import { amount, argument, list, objectWith } from "../../Options.ts"
import type { Surplus, Truncation } from "../../Outcome.ts"
import type { CallResult } from "./callResult.ts"

/** The results of a set of requested keys. */
export interface KeyResults<R, E> {
  /** The records by key. Keys without records are absent. */
  readonly records: Map<string, ReadonlyArray<R>>
  /** The errors of failed keys, which may have records. */
  readonly errors: Map<string, E>
  /** The service's suggestions for keys that it does not know. */
  readonly suggestions: Map<string, ReadonlyArray<string>>
  /** The records that belong to no key. */
  readonly surplus: Array<Surplus>
  /** Why the records of a key are incomplete. */
  readonly truncated: Map<string, Truncation>
  /** The bytes of the responses, as far as they are known. */
  bytes: number
}

/** The results before the first response. */
export const emptyResults = <R, E>(): KeyResults<R, E> => ({
  records: new Map(),
  errors: new Map(),
  suggestions: new Map(),
  surplus: [],
  truncated: new Map(),
  bytes: 0
})

/** The assumed length of a record in bytes, if a call does not say how long its response is. */
const bytesOfRecord = 1024

/** Returns the bytes of a response. */
export const bytesOf = ({ bytes, records }: Response<unknown, unknown>): number =>
  bytes ?? bytesOfRecord * records.size

/** A response sorted by key. */
export interface Response<R, E> extends Omit<CallResult<R, E>, "records"> {
  readonly records: ReadonlyMap<string, ReadonlyArray<R>>
  /** Whether a record has a key that was not requested. That key may be damaged. */
  readonly hasStray: boolean
}

/** The keys of a response that are requested again. */
export interface Again {
  /** A record may belong to one of these keys, but does not say to which. */
  readonly doubted: ReadonlyArray<string>
  /**
   * Keys without a record in a response with records that were not requested: their records may have damaged keys. Each is repeated only
   * once. A found key is repeated with them, because a response with only unrequested records counts as malformed.
   */
  readonly repeated: ReadonlyArray<string>
}

/** Enters the response to some keys. Returns the keys that must be requested again. `requestedTwice`: those that were. */
export const enterResponse = <R, E>(
  results: KeyResults<R, E>,
  keys: ReadonlyArray<string>,
  response: Response<R, E>,
  requestedTwice: Set<string>
): Again => {
  const { doubt, errors, hasStray, records, suggestions, surplus, truncated } = response
  results.bytes += bytesOf(response)
  for (const record of surplus ?? []) results.surplus.push(record)
  for (const [key, own] of records) results.records.set(key, own)
  for (const [key, why] of truncated ?? []) results.truncated.set(key, why)
  for (const [key, names] of suggestions ?? []) results.suggestions.set(key, names)
  for (const [key, error] of errors ?? []) results.errors.set(key, error)
  if (!hasStray && doubt === undefined) return { doubted: [], repeated: [] }
  const lacking = keys.filter((key) => !results.records.has(key) && !results.errors.has(key))
  if (doubt !== undefined) {
    if (keys.length > 1) return { doubted: lacking, repeated: [] }
    for (const key of lacking) results.errors.set(key, doubt)
    return { doubted: [], repeated: [] }
  }
  const repeated = lacking.filter((key) => !requestedTwice.has(key))
  for (const key of repeated) requestedTwice.add(key)
  const found = repeated.length > 0 ? keys.filter((key) => results.records.has(key)).slice(0, 1) : []
  return { doubted: [], repeated: [...repeated, ...found] }
}

const partsKind = /* @__PURE__ */ list(
  /* @__PURE__ */ objectWith("the result of a Batcher", { bytes: amount })
)

/**
 * Joins the results of several batches, e.g. of several requests of a `Batcher`. Of two results of a key, the later one counts. Without
 * results, it returns empty ones.
 *
 * @example
 *
 * ```ts
 * import { Batch } from "@chemstream/batch"
 *
 * Batch.union([]).records.size // => 0
 * ```
 */
export const union = <R, E>(parts: ReadonlyArray<KeyResults<R, E>>): KeyResults<R, E> => ({
  records: new Map(argument("parts", partsKind, parts).flatMap(({ records }) => [...records])),
  errors: new Map(parts.flatMap(({ errors }) => [...errors])),
  suggestions: new Map(parts.flatMap(({ suggestions }) => [...suggestions])),
  surplus: parts.flatMap(({ surplus }) => surplus),
  truncated: new Map(parts.flatMap(({ truncated }) => [...truncated])),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0)
})
