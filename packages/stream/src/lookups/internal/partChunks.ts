/**
 * Keeps the keys of a part during a run: those with a remembered result, and those that wait for the request of a chunk. A key is an
 * identifier in the spelling of the part. `lookupPart.ts` requests the chunks.
 */
import { Batch, type Outcome } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { Calls, OwnError } from "./lookupCalls.ts"
import type { Lookup } from "./lookupType.ts"

export type Raw = RawRecord.RawRecord

/** The results of keys. */
export type Settled = Batch.KeyResults<Raw, ChemError.ChemError>

/** The most identifiers that a part remembers. Their records keep the bytes of their responses. */
const mostKnown = 10_000

/** The result of one identifier. */
interface Known {
  readonly records: ReadonlyArray<Raw> | undefined
  readonly suggestions: ReadonlyArray<string> | undefined
  readonly truncated: Outcome.Truncation | undefined
}

/** The keys of one request. It is settled when each key has its result or error. */
export interface Chunk {
  readonly keys: Array<string>
  /** Undefined: it is not settled. */
  result: Result.Result<Settled, ChemError.ChemError> | undefined
}

/** A part during a run. */
export interface Part {
  readonly name: string
  readonly lookup: Lookup<Raw>
  readonly call: Calls<Raw, never>["call"]
  readonly batcher: Batch.Batcher<ChemError.ChemError, OwnError>
  /** The results of the latest keys. */
  readonly known: Map<string, Known>
  /** The chunk of each key that is not settled. */
  readonly chunks: Map<string, Chunk>
  /** The chunk that is not full. */
  open: Chunk | undefined
}

/** Identifiers that a part looks up. They must be valid for it. */
export interface Request {
  readonly part: Part
  readonly ids: ReadonlyArray<string>
  /** Whether they are requested at once, and not together with those of other batches. Default: false. */
  readonly isUrgent?: boolean
}

/** The result of a part for a set of identifiers. */
export interface PartResult {
  readonly part: Part
  readonly keyOf: (id: string) => string
  readonly settled: Settled
  /** The failure of the whole part. All its identifiers have failed. */
  readonly failure: ChemError.ChemError | undefined
}

/** The keys of a part: those that it knows, and the chunks of the others. */
export interface Entered {
  readonly part: Part
  readonly keyOf: PartResult["keyOf"]
  readonly keys: ReadonlyArray<string>
  readonly known: ReadonlyMap<string, Known>
  readonly chunks: ReadonlyMap<string, Chunk>
  /** The chunks to request now. */
  readonly full: ReadonlyArray<Chunk>
}

const keysOf = ({ ids, part }: Request): Pick<Entered, "keyOf" | "keys" | "part"> => {
  const keys = new Map(ids.map((id) => [id, Result.getOrThrow(part.lookup.parse(id))] as const))
  return { part, keyOf: (id) => keys.get(id) as string, keys: [...new Set(keys.values())] }
}

/** Assigns the keys of identifiers to the chunks of their part. `isUrgent`: the last chunk is not filled by other batches. */
export const enter = (one: Request, isUrgent: boolean): Entered => {
  const { part } = one
  const own = keysOf(one)
  const known = new Map<string, Known>()
  const chunks = new Map<string, Chunk>()
  const full: Array<Chunk> = []
  for (const key of own.keys) {
    const knownResult = part.known.get(key)
    if (knownResult !== undefined) known.set(key, knownResult)
    else chunks.set(key, part.chunks.get(key) ?? enterKey(part, key, full))
  }
  if (isUrgent && part.open !== undefined) {
    full.push(part.open)
    part.open = undefined
  }
  return { ...own, known, chunks, full }
}

/** Enters a key into the chunk that is not full. If the key fills it, it is added to `full`. */
const enterKey = (part: Part, key: string, full: Array<Chunk>): Chunk => {
  const chunk = part.open ?? { keys: [], result: undefined }
  chunk.keys.push(key)
  part.chunks.set(key, chunk)
  const isFull = chunk.keys.length >= part.batcher.size()
  part.open = isFull ? undefined : chunk
  if (isFull) full.push(chunk)
  return chunk
}

/** Enters keys into a chunk of their own. */
export const enterAlone = (one: Request): Entered => {
  const own = keysOf(one)
  const chunk: Chunk = { keys: [...own.keys], result: undefined }
  const chunks = new Map(own.keys.map((key) => [key, chunk]))
  return { ...own, known: new Map(), chunks, full: [chunk] }
}

/** Returns the results of keys, or the failure of one of their chunks. */
export const collect = ({ chunks, keys, known }: Entered): NonNullable<Chunk["result"]> => {
  const settled: Settled = Batch.union<Raw, ChemError.ChemError>([])
  const add = (key: string, { records, suggestions, truncated }: Known): void => {
    if (records !== undefined) settled.records.set(key, records)
    if (suggestions !== undefined) settled.suggestions.set(key, suggestions)
    if (truncated !== undefined) settled.truncated.set(key, truncated)
  }
  for (const key of keys) {
    const knownResult = known.get(key)
    const result = chunks.get(key)?.result
    if (knownResult !== undefined) add(key, knownResult)
    if (result === undefined) continue
    if (Result.isFailure(result)) return result
    add(key, knownOf(key, result.success))
    const error = result.success.errors.get(key)
    if (error !== undefined) settled.errors.set(key, error)
    // The first batch that reads a chunk passes on the records that belong to no key.
    for (const record of result.success.surplus.splice(0)) settled.surplus.push(record)
  }
  return Result.succeed(settled)
}

const knownOf = (key: string, { records, suggestions, truncated }: Settled): Known => ({
  records: records.get(key),
  suggestions: suggestions.get(key),
  truncated: truncated.get(key)
})

/** Remembers the results of keys, and forgets the oldest ones. Keys with errors are requested again. */
export const remember = (known: Part["known"], keys: ReadonlyArray<string>, settled: Settled): void => {
  for (const key of keys) if (!settled.errors.has(key)) known.set(key, knownOf(key, settled))
  for (const key of known.keys()) {
    if (known.size <= mostKnown) return
    known.delete(key)
  }
}
