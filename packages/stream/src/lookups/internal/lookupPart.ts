/**
 * Runs a lookup as a part of a lookup of several, e.g. the details in `Enrich`: requests sets of identifiers in chunks of the part's own
 * size. `Enrich`, `Resolve` and `Suspects` combine the results of several parts.
 *
 * A key is an identifier in the spelling of the part. A part requests a key once: it remembers the latest results of its run, and awaits
 * those in flight (`partChunks.ts`). A chunk is the keys of one request, which several batches of the run may fill (`requestFilling.ts`).
 */
import { Availability, Batch } from "@chemstream/batch"
import { type ChemClient, ChemError } from "@chemstream/client"
import { type Context, Effect, Exit, Option, Result } from "effect"
import * as Ledger from "../../runs/Ledger.ts"
import type { Inspection } from "./inspection.ts"
import { callsOf, type Options } from "./lookupCalls.ts"
import type { Lookup } from "./lookupType.ts"
import type { Chunk, Part, PartResult, Raw, Request, Settled } from "./partChunks.ts"
import * as PartChunks from "./partChunks.ts"
import { RequestFilling } from "./requestFilling.ts"

export type { Part, PartResult }

/** The parts of a run. */
export interface Group {
  readonly filling: RequestFilling
  readonly parts: Array<Part>
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
        ? PartChunks.enterAlone(one)
        : PartChunks.enter(one, one.isUrgent === true || inspection.run?.isApart === true)
    )
    const isFatal = (error: ChemError.ChemError): boolean =>
      onFailure === "abort" || error._tag === "Unauthorized" || error._tag === "ServiceUnavailable"
    const send: Send = (part, some) =>
      Effect.catchIf(
        requestChunks(group, part, some, inspection),
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
  one: PartChunks.Entered,
  isFatal: (error: ChemError.ChemError) => boolean
): Effect.Effect<PartResult, ChemError.ChemError> => {
  const { keyOf, keys, part } = one
  const result = PartChunks.collect(one)
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
    if (Result.isSuccess(result)) PartChunks.remember(part.known, chunk.keys, result.success)
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
