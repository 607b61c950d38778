/**
 * Runs a lookup as a part of a lookup of several, e.g. the details in `Enrich`: requests sets of identifiers in chunks of the part's own
 * size. `Enrich`, `Resolve` and `Suspects` combine the results of several parts.
 *
 * A key is an identifier in the spelling of the part. A part requests a key once: it remembers the latest results of its run, and awaits
 * those in flight. A chunk is the keys of one request, which several batches of the run may fill (`requestFilling.ts` awaits them).
 */
import { Availability, Batch, type Outcome } from "@chemstream/batch"
import { type ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { type Context, Effect, Exit, Option, Result } from "effect"
import * as Ledger from "../../runs/Ledger.ts"
import type { Inspection } from "./inspection.ts"
import { type Calls, callsOf, type Options, type OwnError } from "./lookupCalls.ts"
import type { Lookup } from "./lookupType.ts"
import { RequestFilling } from "./requestFilling.ts"

type Raw = RawRecord.RawRecord

type Settled = Batch.KeyResults<Raw, ChemError.ChemError>

/** The most identifiers that a part remembers. Their records keep the bytes of their responses. */
const mostKnown = 10_000

/** The result of one identifier. */
interface Known {
  readonly records: ReadonlyArray<Raw> | undefined
  readonly suggestions: ReadonlyArray<string> | undefined
  readonly truncated: Outcome.Truncation | undefined
}

/** The keys of one request. It is settled when each key has its result or error. */
interface Chunk {
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

/** The parts of a run. */
export interface Group {
  readonly filling: RequestFilling
  readonly parts: Array<Part>
}

/** The result of a part for a set of identifiers. */
export interface PartResult {
  readonly part: Part
  readonly keyOf: (id: string) => string
  readonly settled: Settled
  /** The failure of the whole part. All its identifiers have failed. */
  readonly failure: ChemError.ChemError | undefined
}

/** Makes the group of the parts of a run. */
export const makeGroup = (): Group => ({ filling: new RequestFilling(), parts: [] })

/** Runs the call of a batch with the state of its run. `make` makes the state, and is its key (`Memory`). */
export const inRun = <State extends { readonly group: Group }, A, E, R>(
  inspection: Inspection,
  make: () => State,
  call: (state: State) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const state = inspection.memory?.(make) ?? make()
    return state.group.filling.whileWorking(call(state))
  })

/** Starts a part for one run. All batches share its limit of calls in flight and its batch size. */
export const start = (
  { parts }: Group,
  name: string,
  lookup: Lookup<Raw>,
  options: Pick<Options, "concurrency" | "onFailure">
): Part => {
  const ledger = Ledger.make()
  const { call, ...calls } = callsOf<Raw, never>(lookup, options, ledger)
  const batcher = Batch.make({ ...calls, size: lookup.size, ledger })
  const part: Part = { name, lookup, call, batcher, known: new Map(), chunks: new Map(), open: undefined }
  parts.push(part)
  return part
}

/** Identifiers that a part looks up. They must be valid for it. */
export interface Request {
  readonly part: Part
  readonly ids: ReadonlyArray<string>
  /** Whether they are requested at once, and not together with those of other batches. Default: false. */
  readonly isUrgent?: boolean
}

/** Requests identifiers from parts of a group. Returns a result for each request. */
export const request = <const Requests extends ReadonlyArray<Request>>(
  group: Group,
  requests: Requests,
  inspection: Inspection,
  onFailure: Options["onFailure"]
): Effect.Effect<
  { readonly [At in keyof Requests]: PartResult },
  ChemError.ChemError,
  ChemClient.ChemClient
> =>
  Effect.gen(function* () {
    const current = yield* Availability.Current
    // A probe asks the service, and waits for nothing.
    const entered = requests.map((one) =>
      current?.mode === "probe"
        ? enterAlone(one)
        : enter(one, one.isUrgent === true || inspection.run?.isApart === true)
    )
    const isFatal = (error: ChemError.ChemError): boolean =>
      onFailure === "abort" || error._tag === "Unauthorized" || error._tag === "ServiceUnavailable"
    const send: Send = (part, chunks) =>
      Effect.catchIf(
        requestChunks(group, part, chunks, inspection),
        (error) => !isFatal(error),
        () => Effect.void
      )
    yield* Effect.forEach(entered, ({ full, part }) => send(part, full), {
      concurrency: "unbounded",
      discard: true
    })
    const chunks = new Set(entered.flatMap((one) => [...one.chunks.values()]))
    yield* awaitChunks(group, chunks, send, inspection)
    const results = yield* Effect.forEach(entered, (one) => resultOf(one, isFatal))
    return results as { readonly [At in keyof Requests]: PartResult }
  })

/**
 * Returns the failure of the first part if all parts failed, as without a connection. Its caller fails with it; the run knows
 * whether to stop.
 */
export const failureOfAll = (results: ReadonlyArray<PartResult>): ChemError.ChemError | undefined =>
  results.every(({ failure }) => failure !== undefined) ? results[0]?.failure : undefined

const resultOf = (
  one: Entered,
  isFatal: (error: ChemError.ChemError) => boolean
): Effect.Effect<PartResult, ChemError.ChemError> => {
  const { keyOf, keys, part } = one
  const result = collect(one)
  if (Result.isSuccess(result)) {
    return Effect.succeed({ part, keyOf, settled: result.success, failure: undefined })
  }
  const { failure } = result
  if (isFatal(failure)) return Effect.fail(failure)
  // The failure of one part. The caller decides whether all parts failed.
  const errors = new Map(keys.map((key) => [key, failure]))
  return Effect.succeed({
    part,
    keyOf,
    settled: { ...Batch.union<Raw, ChemError.ChemError>([]), errors },
    failure
  })
}

/** The keys of a part: those that it knows, and the chunks of the others. */
interface Entered {
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
const enter = (one: Request, isUrgent: boolean): Entered => {
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
const enterAlone = (one: Request): Entered => {
  const own = keysOf(one)
  const chunk: Chunk = { keys: [...own.keys], result: undefined }
  const chunks = new Map(own.keys.map((key) => [key, chunk]))
  return { ...own, known: new Map(), chunks, full: [chunk] }
}

/** Requests chunks of a part. Fails if an error fails them. */
type Send = (
  part: Part,
  chunks: ReadonlyArray<Chunk>
) => Effect.Effect<void, ChemError.ChemError, ChemClient.ChemClient>

/** Requests chunks of a part. After an error of the whole part, all of them have failed. */
const requestChunks = (
  { filling }: Group,
  part: Part,
  chunks: ReadonlyArray<Chunk>,
  inspection: Inspection
): ReturnType<Send> => {
  const settle = (chunk: Chunk, result: Result.Result<Settled, ChemError.ChemError>): void => {
    chunk.result = result
    if (Result.isSuccess(result)) remember(part.known, chunk.keys, result.success)
    for (const key of chunk.keys) if (part.chunks.get(key) === chunk) part.chunks.delete(key)
    filling.notify()
  }
  const requested = Effect.forEach(
    chunks,
    (chunk) =>
      Effect.map(
        part.batcher.request(chunk.keys, (some) => part.call(some, inspection)),
        (settled) => settle(chunk, Result.succeed(settled))
      ),
    { concurrency: "unbounded", discard: true }
  )
  return Effect.onExit(requested, (exit) =>
    Effect.sync(() => {
      const error = Option.getOrElse(Exit.findErrorOption(exit), () => interrupted(part))
      for (const chunk of chunks) if (chunk.result === undefined) settle(chunk, Result.fail(error))
    })
  )
}

const interrupted = ({ lookup }: Part): ChemError.ChemError =>
  ChemError.unavailable(
    lookup.endpoint,
    new Availability.ServiceUnavailable({ message: "the run was stopped" })
  )

/** Waits for chunks. If all batches of the run wait, one of them requests the chunks that are not full. */
const awaitChunks = (
  group: Group,
  chunks: ReadonlySet<Chunk>,
  send: Send,
  inspection: Inspection
): ReturnType<Send> =>
  Effect.contextWith((context: Context.Context<ChemClient.ChemClient>) => {
    const flush = Effect.forEach(
      group.parts,
      (part) => {
        const { open } = part
        part.open = undefined
        return open === undefined ? Effect.void : send(part, [open])
      },
      { concurrency: "unbounded", discard: true }
    )
    const wait = group.filling.await(
      () => [...chunks].every(({ result }) => result !== undefined),
      Effect.provide(flush, context),
      inspection.run?.window
    )
    return Effect.mapError(wait, (error) =>
      error instanceof Availability.ServiceUnavailable
        ? ChemError.unavailable(group.parts[0]?.lookup.endpoint ?? "", error)
        : error
    )
  })

/** Returns the results of keys, or the failure of one of their chunks. */
const collect = ({ chunks, keys, known }: Entered): NonNullable<Chunk["result"]> => {
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
    settled.surplus.push(...result.success.surplus.splice(0))
  }
  return Result.succeed(settled)
}

const knownOf = (key: string, { records, suggestions, truncated }: Settled): Known => ({
  records: records.get(key),
  suggestions: suggestions.get(key),
  truncated: truncated.get(key)
})

const remember = (known: Part["known"], keys: ReadonlyArray<string>, settled: Settled): void => {
  for (const key of keys) if (!settled.errors.has(key)) known.set(key, knownOf(key, settled))
  for (const key of known.keys()) {
    if (known.size <= mostKnown) return
    known.delete(key)
  }
}
