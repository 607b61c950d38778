/**
 * Runs a lookup into an NDJSON file, as a run that can be resumed.
 */
import { type Batch, Options as Declared, type InvalidOption } from "@chemstream/batch"
import { ChemClient, type ChemError } from "@chemstream/client"
import { Format, type RawRecord } from "@chemstream/ndjson"
import { Effect, type FileSystem, type Path, type PlatformError, Stream } from "effect"
import type { Identifier } from "../../identifiers/Identifiers.ts"
import { lookupKind, settingOfClient } from "../../lookups/internal/lookupType.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import type * as Ledger from "../../runs/Ledger.ts"
import type { Outcome } from "../../runs/Outcome.ts"
import * as Problem from "../../runs/Problem.ts"
import type * as Lock from "../Lock.ts"
import type { CheckpointRefused, Identity } from "./checkpointFile.ts"
import { type BatchLines, type FileOptions, lines, linesSet } from "./savedLines.ts"

/** The options of a run and of its files. */
export interface RunOptions extends Lookup.RunOptions, FileOptions {
  /**
   * Further values that must be equal for a resumed run, besides the service, the lookup and its options.
   * Default: none.
   */
  readonly identity?: Identity | undefined
  /** Called with the ledger before the run begins or resumes, e.g. to watch its `Progress`. */
  readonly onStart?: ((ledger: Ledger.Ledger) => Effect.Effect<void>) | undefined
}

const { identity: _, output: __, ...files } = linesSet.fields

const { ledger: ___, ...lookupFields } = Lookup.optionSet.fields

/** The kind of a file that a run writes. */
export const ndjsonFile = Declared.kind<string>(
  "the name of an NDJSON file, e.g. records.ndjson.gz",
  (value) => typeof value === "string" && Format.isNdjson(value)
)

/** The declaration of the options. */
export const optionSet: Declared.Set<RunOptions> = Declared.set<RunOptions>()(
  {
    ...lookupFields,
    ...files,
    errors: ndjsonFile,
    identity: Declared.partial(linesSet).fields.identity,
    onStart: Declared.func
  },
  settingOfClient
)

/** The failures of a run, besides those of its identifiers. */
type Failure =
  | InvalidOption.InvalidOption
  | Batch.InputMismatch
  | CheckpointRefused
  | ChemError.ChemError
  | Lock.LockFailure
  | PlatformError.PlatformError

type Needs = ChemClient.ChemClient | FileSystem.FileSystem | Path.Path

/**
 * Runs a lookup into an NDJSON file: the found records, one a line, as the service sent them. If the run stops, the same call
 * resumes it. At the end the file gets its name, and replaces another file of that name. Returns the ledger with the counts of
 * all these runs.
 *
 * During the run the file is `OUTPUT.part`, with a checkpoint next to it. Another lookup, service or input, and
 * other options that change the output, are refused (`CheckpointRefused`, `InputMismatch`). `resume: false`
 * starts over. A second run on the same output fails with `LockFailure`.
 *
 * @example
 * ```ts
 * import { Details, Identifiers } from "@chemstream/stream"
 * import { Checkpoint } from "@chemstream/stream/node"
 *
 * const run = Identifiers.fromIterable(["DTXSID7020182", "DTXSID3039242"]).pipe(
 *   Checkpoint.run(Details.byDtxsid({ projection: "compact" }), "records.ndjson.gz", { errors: "problems.ndjson" })
 * )
 * ```
 */
export const run: {
  <I extends Identifier, E, R, A, F = never>(
    identifiers: Stream.Stream<I, E, R>,
    lookup: Lookup.Lookup<RawRecord.RawRecord<A>, F>,
    output: string,
    options?: RunOptions
  ): Effect.Effect<Ledger.Ledger, E | F | Failure, R | Needs>
  <A, F = never>(
    lookup: Lookup.Lookup<RawRecord.RawRecord<A>, F>,
    output: string,
    options?: RunOptions
  ): <I extends Identifier, E, R>(
    identifiers: Stream.Stream<I, E, R>
  ) => Effect.Effect<Ledger.Ledger, E | F | Failure, R | Needs>
} = Declared.effectFrom("identifiers", {
  lookup: Declared.required(lookupKind),
  output: Declared.required(ndjsonFile),
  options: optionSet
})(
  <I extends Identifier, E, R, A, F>(
    identifiers: Stream.Stream<I, E, R>,
    lookup: Lookup.Lookup<RawRecord.RawRecord<A>, F>,
    output: string,
    given: RunOptions = {}
  ): Effect.Effect<Ledger.Ledger, E | F | Failure, R | Needs> =>
    Effect.gen(function* () {
      const { checkpoint, errors, every, identity, onStart, part, resume, ...options } = given
      const saved = yield* lines({
        output,
        errors,
        part,
        checkpoint,
        every,
        resume,
        identity: { ...(yield* identityOf(lookup, options)), ...identity }
      })
      const { ledger, resumePoint } = saved
      if (onStart !== undefined) yield* Declared.argument("onStart", Declared.effect, onStart(ledger))
      yield* identifiers.pipe(
        Lookup.batches(lookup, { ...options, ledger, resumePoint }),
        Stream.map(({ outcomes, ...batch }) => linesOf({ ...batch, outcomes })),
        saved.write
      )
      yield* saved.complete
      return ledger
    }).pipe(Effect.scoped)
)

/** Returns the lookup, the service, and the options that change the output. */
export const identityOf = (
  { endpoint, parameters = {} }: Lookup.Lookup<unknown, unknown>,
  { dedupe, onFailure, ordered, strictIds, validate }: Lookup.Options
): Effect.Effect<Identity, never, ChemClient.ChemClient> =>
  Effect.map(ChemClient.ChemClient, ({ baseUrl, dialect }) => ({
    ...parameters,
    service: baseUrl,
    dialect,
    endpoint,
    ordered: ordered ?? true,
    dedupe: dedupe === undefined ? "texts" : dedupe !== false,
    strictIds: strictIds ?? false,
    validate: validate ?? "warn",
    onFailure: onFailure ?? "isolate"
  }))

const encoder = new TextEncoder()

/** Divides the outcomes of a batch into records and lines of the errors file. */
const linesOf = (batch: BatchLines["batch"]): BatchLines => {
  const records: Array<RawRecord.RawRecord> = []
  let problems = ""
  for (const outcome of batch.outcomes as ReadonlyArray<Outcome<RawRecord.RawRecord, ChemError.ChemError>>) {
    if (outcome._tag === "Found") for (const record of outcome.records) records.push(record)
    else problems += `${Problem.toLine(outcome)}\n`
  }
  return { batch, records, problems: encoder.encode(problems) }
}
