/**
 * Runs bulk lookups without Effect on Node: like `Chemstream`, with a Node transport and runs that can be
 * resumed.
 */
import { Options } from "@chemstream/batch"
import type { PromiseClient } from "@chemstream/client"
import type { NodePromiseClient } from "@chemstream/client/node"
import { Effect, type FileSystem, Layer, type Path, Stream } from "effect"
import type { ItemReader } from "../identifiers/Identifiers.ts"
import { identifiers } from "../identifiers/internal/inputChunks.ts"
import * as Lookup from "../lookups/Lookup.ts"
import type * as Chemstream from "../runs/Chemstream.ts"
import * as bulk from "../runs/internal/promiseRun.ts"
import * as Ledger from "../runs/Ledger.ts"
import * as Checkpoint from "./Checkpoint.ts"
import * as Files from "./internal/runFileChecks.ts"
import type { SaveOptions } from "./internal/savedLines.ts"
import { identityOf, ndjsonFile, optionSet as runSet } from "./internal/savedRun.ts"

/** The options of a loop that can be resumed. */
export interface ResumeOptions {
  /**
   * The file that stores the progress of the loop. The same loop resumes from it, without the batches that it
   * has finished. The file is removed at the end. Default: none.
   */
  readonly checkpoint?: string | undefined
  /** The time between two saves. Default: 1 second. */
  readonly every?: Checkpoint.Options<never>["every"]
  /** Whether to resume the run of the checkpoint. Default: true. */
  readonly resume?: boolean | undefined
}

export type { SaveOptions }

/** Saves the records of a run in a file. */
export interface Save {
  <const N extends Chemstream.Endpoint, const P extends Chemstream.ProjectionOf<N> = never>(
    ids: Chemstream.Ids<string> | Chemstream.Ids<Uint8Array>,
    output: string,
    options: Chemstream.Request<N, P> &
      Chemstream.RunOptions &
      SaveOptions & { readonly id?: undefined; readonly carried?: undefined }
  ): Promise<Ledger.Ledger>
  <const N extends Chemstream.Endpoint, Item, const P extends Chemstream.ProjectionOf<N> = never>(
    items: Chemstream.Ids<Item>,
    output: string,
    options: Chemstream.Request<N, P> & Chemstream.RunOptions & SaveOptions & ItemReader<Item, unknown>
  ): Promise<Ledger.Ledger>
}

/** Bulk lookups on Node. */
export interface NodeChemstream extends Chemstream.Chemstream<ResumeOptions> {
  /**
   * Looks up identifiers, and writes the records to an NDJSON file as the service sent them (`Checkpoint.run`).
   * Returns the ledger. If the run stops, the same call resumes it. At the end the file gets its name, and replaces another file of that
   * name. `stop` ends the run in order, so that nothing is requested twice.
   */
  readonly save: Save
}

/**
 * Makes bulk lookups with the settings of `createClient` of `@chemstream/client/node`. Close it at the end.
 * With Node 24 or newer, `await using` closes it.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs"
 * import { createChemstream } from "@chemstream/stream/node"
 *
 * const saved = async (baseUrl: string, apiKey: string) => {
 *   const chemstream = await createChemstream({ baseUrl, apiKey })
 *   try {
 *     const ids = createReadStream("ids.txt")
 *     return await chemstream.save(ids, "records.ndjson.gz", {
 *       endpoint: "details.byDtxsid",
 *       projection: "compact",
 *       errors: "problems.ndjson"
 *     })
 *   } finally {
 *     await chemstream.close()
 *   }
 * }
 * ```
 */
export const createChemstream = async (settings?: NodePromiseClient.Settings): Promise<NodeChemstream> => {
  // Loaded on demand: the rest of this entry needs no platform package.
  const [{ createClient }, NodeFileSystem, NodePath] = await Promise.all([
    import("@chemstream/client/node"),
    import("@effect/platform-node/NodeFileSystem"),
    import("@effect/platform-node/NodePath")
  ])
  const client = await createClient(settings)
  const services = Layer.merge(NodeFileSystem.layer, NodePath.layer)
  return {
    client,
    lookup: bulk.bulkLookup(
      client,
      outcomesOf(services),
      resumeSet.fields
    ) as Chemstream.BulkLookup<ResumeOptions>,
    save: save(client, services) as Save,
    close: client.close,
    [Symbol.asyncDispose]: client.close
  }
}

const { checkpoint, errors, every, resume } = runSet.fields

const resumeSet = Options.set<ResumeOptions>()({ checkpoint, every, resume })

const saveSet = Options.set<SaveOptions>()({ ...resumeSet.fields, errors })

type Services = Layer.Layer<FileSystem.FileSystem | Path.Path>

/** Returns the outcomes of a run. With a checkpoint, skips the batches that the loop has finished. */
const outcomesOf =
  (services: Services): bulk.Outcomes =>
  (ids, lookup, options, begin) => {
    const { checkpoint: file, ...saving } = Options.pick(resumeSet, options)
    if (file === undefined) return bulk.outcomesOf(ids, lookup, options, begin)
    return Effect.gen(function* () {
      yield* Files.check({ checkpoint: file })
      const identity = yield* identityOf(lookup, options)
      const saved = yield* Checkpoint.file<never>({ file, outputs: {}, identity, ...saving })
      const { ledger, resumePoint } = saved
      begin(ledger)
      return Lookup.batches(ids, lookup, {
        ...Options.pick(Lookup.optionSet, options),
        ledger,
        resumePoint
      }).pipe(
        // A batch is recorded when the loop asks for more after its last outcome.
        Stream.flatMap((batch) =>
          Stream.concat(Stream.fromIterable(batch.outcomes), Stream.fromEffectDrain(saved.record(batch, {})))
        ),
        Stream.concat(Stream.fromEffectDrain(saved.complete))
      )
    }).pipe(Stream.unwrap, Stream.provide(services))
  }

const save =
  (client: PromiseClient.PromiseClient, services: Services) =>
  async (
    ids: unknown,
    output: string,
    options: bulk.Options & SaveOptions = {} as bulk.Options
  ): Promise<Ledger.Ledger> => {
    Options.refuseArguments({ ids: bulk.anything, output: Options.required(ndjsonFile) }, [ids, output])
    const { progress, signal, stop } = options
    let ledger = Ledger.make()
    const onStart = (own: Ledger.Ledger): Effect.Effect<void> =>
      Effect.sync(() => {
        ledger = own
      })
    const started = Effect.map(bulk.lookupOf(options, saveSet.fields), (lookup) => {
      const input = identifiers(bulk.inputStream(ids), options)
      const saved = Checkpoint.run(input, lookup, output, { ...Options.pick(runSet, options), onStart })
      return Stream.fromEffectDrain(saved).pipe(
        Stream.provide(services),
        bulk.withStop(stop),
        bulk.withProgress(progress, bulk.lengthOf(ids), () => ledger)
      )
    })
    const run = Stream.unwrap(started)
    for await (const _ of (signal === undefined ? client : client.with({ signal })).iterate(run)) void _
    return ledger
  }
