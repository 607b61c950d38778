/**
 * Runs that can be cut short at any moment and continued: files that grow, and a checkpoint that says how far they
 * are valid.
 *
 * While a run goes on its outputs grow under temporary names (`NAME.part`). Every so often they are flushed to disk,
 * and then the checkpoint is replaced: it holds which parts of the input are settled, how long each output was at that
 * moment, and the counts. A run that continues cuts the outputs back to those lengths, passes over what is settled
 * and goes on. At the end the outputs get their names and the checkpoint disappears. So what is in the files is always
 * a run up to some moment, whatever killed it; in ordered mode the finished files are byte for byte those of an
 * undisturbed run. Needs Effect's `FileSystem`; one run at a time may use a checkpoint.
 */
import { MonotonicClock } from "@chemstream/client"
import { Data, Effect, FileSystem, Path, type PlatformError, Schema, type Scope } from "effect"
import { enter, type SettledBatch, type Settlement, type Span } from "./BatchCalls.ts"
import { merge } from "./internal/spans.ts"
import * as Ledger from "./Ledger.ts"

/** The milliseconds between two checkpoints when not set: what is asked for again after a kill. */
export const defaultEvery = 1000

const formatVersion = 1

/** The checkpoint cannot be continued by this run: `reason` says why, and nothing was changed. */
export class CheckpointRefused extends Data.TaggedError("CheckpointRefused")<{
  readonly file: string
  readonly reason: string
  readonly message: string
}> {}

/** How a run is saved. `Output` names its outputs. */
export interface Options<Output extends string> {
  /** The checkpoint's own file. */
  readonly file: string
  /** The files the run writes, each by its name. */
  readonly outputs: { readonly [Name in Output]: string }
  /**
   * What makes this run the same as the one that wrote the checkpoint: endpoint, projection, options that change the
   * output, version. Compared one by one; a difference is refused.
   */
  readonly identity: Readonly<Record<string, string | number | boolean | null>>
  /** Milliseconds between two checkpoints; 1000 when not given. */
  readonly every?: number | undefined
}

/** A run that is saved. */
export interface Checkpoint<Output extends string> {
  /** What an earlier run has settled, for the settings of the stream; undefined at a first start. */
  readonly settlement: Settlement | undefined
  /** The ledger of the run, with the counts of the earlier one. */
  readonly ledger: Ledger.Ledger
  /** The milliseconds that the earlier runs took which this one continues. */
  readonly earlier: number
  /** Whether the earlier run had come to its end: nothing can be recorded any more, only `complete` remains. */
  readonly isComplete: boolean
  /** Writes what became of a batch. In ordered mode batches must be given in the order they come. */
  readonly record: <R, E>(
    batch: SettledBatch<R, E>,
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, PlatformError.PlatformError>
  /** Saves what was recorded, now. */
  readonly save: Effect.Effect<void, PlatformError.PlatformError>
  /** Ends the run: the outputs appear under their names, and the checkpoint disappears. */
  readonly complete: Effect.Effect<void, PlatformError.PlatformError>
}

const Counts = Schema.Record(Schema.String, Schema.Finite)

const State = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(formatVersion),
    identity: Schema.Record(
      Schema.String,
      Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
    ),
    /** Whether all is written, and only the names are missing. */
    complete: Schema.Boolean,
    spans: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
    digest: Schema.String,
    /** The length of each output, in bytes. */
    lengths: Schema.Record(Schema.String, Schema.Int),
    counts: Counts,
    /** Milliseconds that all runs took until then. */
    elapsed: Schema.optionalKey(Schema.Finite)
  })
)

type State = typeof State.Type

/**
 * Opens a checkpoint: begins a run, or continues the one it is of. Saves once more when the scope closes before the
 * end. Fails with `CheckpointRefused` where the checkpoint is of another run, or does not fit the outputs.
 *
 * @example
 * ```ts
 * import { BatchCalls, Checkpoint, Identifiers } from "@chemstream/stream"
 * import { Effect, FileSystem, Result, Stream } from "effect"
 *
 * const run = Effect.gen(function* () {
 *   const checkpoint = yield* Checkpoint.file({
 *     file: "run.checkpoint",
 *     outputs: { records: "out.txt" },
 *     identity: { service: "mine" }
 *   })
 *   const encoder = new TextEncoder()
 *   yield* BatchCalls.batches(Identifiers.fromIterable(["a", "b"]), {
 *     parse: Result.succeed,
 *     call: (ids) => Effect.succeed({ records: ids.map((id) => ({ key: id, record: id })) }),
 *     judge: () => "fail",
 *     size: 100,
 *     concurrency: 4,
 *     ordered: true,
 *     dedupe: true,
 *     ledger: checkpoint.ledger,
 *     settlement: checkpoint.settlement
 *   }).pipe(
 *     Stream.runForEach((batch) =>
 *       checkpoint.record(batch, {
 *         records: encoder.encode(batch.outcomes.map(({ _tag, id }) => `${_tag} ${id}\n`).join(""))
 *       })
 *     )
 *   )
 *   yield* checkpoint.complete
 * }).pipe(Effect.scoped)
 * ```
 */
export const file = <Output extends string>(
  options: Options<Output>
): Effect.Effect<
  Checkpoint<Output>,
  CheckpointRefused | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const names = Object.keys(options.outputs) as Array<Output>
    const earlier = yield* read(fs, options)
    if (earlier?.complete === true) {
      return finished(earlier, publish(fs, path, options))
    }

    const files = new Map<Output, FileSystem.File>()
    const lengths = new Map<Output, number>()
    for (const name of names) {
      const length = earlier?.lengths[name] ?? 0
      files.set(name, yield* openOutput(fs, options, name, earlier === undefined ? undefined : length))
      lengths.set(name, length)
    }

    const ledger = restore(earlier)
    const settled = restore(earlier)
    let spans: ReadonlyArray<Span> = earlier?.spans ?? []
    let digest = earlier?.digest ?? ""
    let isSaved = true
    let isComplete = false
    const startedAt = yield* MonotonicClock.currentMillis
    let savedAt = startedAt

    const write = Effect.fnUntraced(function* (complete: boolean) {
      for (const output of files.values()) yield* output.sync
      yield* replace(fs, path, options.file, {
        version: formatVersion,
        identity: options.identity,
        complete,
        spans,
        digest,
        lengths: Object.fromEntries(lengths),
        counts: countsOf(ledger, settled),
        elapsed: Math.round((earlier?.elapsed ?? 0) + (yield* MonotonicClock.currentMillis) - startedAt)
      })
      isSaved = true
      savedAt = yield* MonotonicClock.currentMillis
    }, Effect.uninterruptible)

    const record: Checkpoint<Output>["record"] = Effect.fnUntraced(function* (batch, bytes) {
      for (const [name, output] of files) {
        const part = bytes[name]
        if (part !== undefined && part.length > 0) yield* output.writeAll(part)
      }
      // Only now: where one of the outputs could not be written, none counts as longer.
      for (const [name, length] of lengths) lengths.set(name, length + (bytes[name]?.length ?? 0))
      isSaved = false
      const before = spans.at(-1)?.to ?? 0
      spans = merge(spans, batch.spans)
      if ((spans.at(-1)?.to ?? 0) > before) digest = batch.digest
      for (const { from, to } of batch.spans) settled.read += to - from
      enter(settled, batch)
      if ((yield* MonotonicClock.currentMillis) - savedAt >= (options.every ?? defaultEvery))
        yield* write(false)
    }, Effect.uninterruptible)

    yield* Effect.addFinalizer(() =>
      isSaved || isComplete
        ? Effect.void
        : Effect.catch(write(false), (error) =>
            Effect.logWarning(
              `the checkpoint ${options.file} could not be renewed; the one before it holds`,
              error
            )
          )
    )

    return {
      settlement: earlier === undefined || spans.length === 0 ? undefined : { spans, digest },
      ledger,
      earlier: earlier?.elapsed ?? 0,
      isComplete: false,
      record,
      save: Effect.suspend(() => write(false)),
      complete: Effect.suspend(() => {
        isComplete = true
        return Effect.andThen(write(true), publish(fs, path, options))
      }).pipe(Effect.uninterruptible)
    }
  })

/** The state an earlier run left, if any. */
const read = <Output extends string>(
  fs: FileSystem.FileSystem,
  options: Options<Output>
): Effect.Effect<State | undefined, CheckpointRefused | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(options.file))) return undefined
    const text = yield* fs.readFileString(options.file)
    const state = yield* Effect.mapError(Schema.decodeUnknownEffect(State)(text), () =>
      refused(options.file, "it is no checkpoint, or of a version that this one does not know")
    )
    const difference = differing(options.identity, state.identity)
    if (difference !== undefined) return yield* refused(options.file, difference)
    const unknown = Object.keys(options.outputs).find((name) => state.lengths[name] === undefined)
    return unknown === undefined
      ? state
      : yield* refused(options.file, `the run it is of had no output ${JSON.stringify(unknown)}`)
  })

const differing = (now: Options<string>["identity"], then: State["identity"]): string | undefined => {
  const names = new Set([...Object.keys(now), ...Object.keys(then)])
  for (const name of names) {
    if (now[name] === then[name]) continue
    return `${name} is ${JSON.stringify(now[name]) ?? "not set"} now, and was ${JSON.stringify(then[name]) ?? "not set"}`
  }
  return undefined
}

const refused = (file: string, reason: string): CheckpointRefused =>
  new CheckpointRefused({
    file,
    reason,
    message: `the checkpoint ${file} cannot be continued: ${reason}. Run as then, or remove it to start anew`
  })

const partOf = (output: string): string => `${output}.part`

/** An output to write on: empty, or cut back to the length that the checkpoint knows. */
const openOutput = <Output extends string>(
  fs: FileSystem.FileSystem,
  options: Options<Output>,
  name: Output,
  length: number | undefined
): Effect.Effect<FileSystem.File, CheckpointRefused | PlatformError.PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const part = partOf(options.outputs[name])
    if (length === undefined) return yield* fs.open(part, { flag: "w" })
    if (!(yield* fs.exists(part))) return yield* refused(options.file, `${part} is gone`)
    const output = yield* fs.open(part, { flag: "r+" })
    const size = Number((yield* output.stat).size)
    if (size < length) {
      return yield* refused(options.file, `${part} has ${size} bytes, and had ${length}`)
    }
    yield* output.truncate(length)
    yield* output.seek(BigInt(length), "start")
    return output
  })

const restore = (state: State | undefined): Ledger.Ledger => {
  const ledger = Ledger.make()
  for (const name of Ledger.countNames) ledger[name] = state?.counts[name] ?? 0
  return ledger
}

/** What is accounted for comes from what was recorded; what it took, from the run as it stands. */
const countsOf = (ledger: Ledger.Counts, settled: Ledger.Counts): typeof Counts.Type => {
  const { duplicates, failed, found, invalid, missing, read, records } = settled
  const counts = { ...ledger, duplicates, failed, found, invalid, missing, read, records }
  return Object.fromEntries(Ledger.countNames.map((name) => [name, counts[name]]))
}

/** Replaces the checkpoint as a whole: after a crash there is the old one or the new one. */
const replace = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  file: string,
  state: State
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const next = `${file}.new`
    const text = yield* Effect.orDie(Schema.encodeEffect(State)(state))
    yield* Effect.scoped(
      Effect.flatMap(fs.open(next, { flag: "w" }), (opened) =>
        Effect.andThen(opened.writeAll(new TextEncoder().encode(text)), opened.sync)
      )
    )
    yield* fs.rename(next, file)
    yield* syncFolder(fs, path.dirname(file))
  })

/** A rename is on the disk once its folder is. Where a system cannot flush a folder, it does so by itself. */
const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (opened) => opened.sync)))

/** Gives the outputs their names, those that do not have them yet, and removes the checkpoint. */
const publish = <Output extends string>(
  fs: FileSystem.FileSystem,
  path: Path.Path,
  options: Options<Output>
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    for (const output of Object.values<string>(options.outputs)) {
      if (yield* fs.exists(partOf(output))) yield* fs.rename(partOf(output), output)
      yield* syncFolder(fs, path.dirname(output))
    }
    yield* fs.remove(options.file)
  }).pipe(Effect.uninterruptible)

/** A run that had ended, and whose outputs were about to get their names. */
const finished = <Output extends string>(
  state: State,
  complete: Effect.Effect<void, PlatformError.PlatformError>
): Checkpoint<Output> => ({
  settlement: { spans: state.spans, digest: state.digest },
  ledger: restore(state),
  earlier: state.elapsed ?? 0,
  isComplete: true,
  record: () => Effect.die(new Error("the run of this checkpoint has ended: nothing more can be recorded")),
  save: Effect.void,
  complete
})
