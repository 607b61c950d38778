/**
 * Bulk lookups without Effect, on Node: as `Chemstream`, over connections of their own (`Transport`), and with runs that can be
 * continued.
 */
import type { PromiseClient } from "@chemstream/client"
import type { NodePromiseClient } from "@chemstream/client/node"
import { Effect, type FileSystem, Layer, type Path, Stream } from "effect"
import type { Reading } from "../identifiers/Identifiers.ts"
import { identifiers } from "../identifiers/internal/chunks.ts"
import { lookupOf } from "../lookups/internal/catalogue.ts"
import * as Lookup from "../lookups/Lookup.ts"
import type * as Chemstream from "../runs/Chemstream.ts"
import * as bulk from "../runs/internal/promiseRun.ts"
import * as Ledger from "../runs/Ledger.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { identityOf } from "./internal/savedRun.ts"

/** How a run of a loop is continued. */
export interface Continuing {
  /**
   * The file that says how far the loop has come. The same run continues there: outcomes whose batch the loop has been through
   * do not come again. At the end the file disappears. Default: none.
   */
  readonly checkpoint?: string | undefined
  /** The time between two saves. Default: 1 second. */
  readonly every?: Checkpoint.Options<never>["every"]
  /** Whether to continue the run that the checkpoint is of. Default: true. */
  readonly resume?: boolean | undefined
}

/** What of a saved run is beside its records. */
export type Saving = Pick<Checkpoint.RunOptions, "checkpoint" | "errors" | "every" | "resume">

/** Writes the records of a run to a file. */
export interface Save {
  <const N extends Chemstream.Endpoint, const P extends Chemstream.ProjectionOf<N> = never>(
    ids: Chemstream.Ids<string> | Chemstream.Ids<Uint8Array>,
    output: string,
    options: Chemstream.Question<N, P> &
      Chemstream.RunOptions &
      Saving & { readonly id?: undefined; readonly carried?: undefined }
  ): Promise<Ledger.Ledger>
  <const N extends Chemstream.Endpoint, Item, const P extends Chemstream.ProjectionOf<N> = never>(
    items: Chemstream.Ids<Item>,
    output: string,
    options: Chemstream.Question<N, P> & Chemstream.RunOptions & Saving & Reading<Item, unknown>
  ): Promise<Ledger.Ledger>
}

/** Bulk lookups on Node. */
export interface NodeChemstream extends Chemstream.Chemstream<Continuing> {
  /**
   * Looks identifiers up into an NDJSON file, the records as the service sent them, and gives the counts: `Checkpoint.run`.
   * Whatever ends it, the same call continues it; at the end the file has its name.
   */
  readonly save: Save
}

/**
 * Bulk lookups with a client of these settings, which are those of `createClient` of `@chemstream/client/node`. Close it at the
 * end; with Node 24 or newer, `await using` does so by itself.
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
export const createChemstream = async (
  settings?: PromiseClient.Given<NodePromiseClient.Settings>
): Promise<NodeChemstream> => {
  // On demand: the rest of this entry does without the package of Node's services.
  const [{ createClient }, NodeFileSystem, NodePath] = await Promise.all([
    import("@chemstream/client/node"),
    import("@effect/platform-node/NodeFileSystem"),
    import("@effect/platform-node/NodePath")
  ])
  const client = await createClient(settings)
  const services = Layer.merge(NodeFileSystem.layer, NodePath.layer)
  return {
    client,
    lookup: bulk.lookUp(client, outcomesOf(services)) as Chemstream.LookUp<Continuing>,
    save: save(client, services) as Save,
    close: client.close,
    [Symbol.asyncDispose]: client.close
  }
}

type Services = Layer.Layer<FileSystem.FileSystem | Path.Path>

/** The outcomes of a run; with a checkpoint, those of batches that the loop has not been through. */
const outcomesOf =
  (services: Services): bulk.Outcomes =>
  (ids, lookup, options, begin) => {
    const { checkpoint: file, every, resume } = options as Continuing
    if (file === undefined) return bulk.outcomesOf(ids, lookup, options, begin)
    return Effect.gen(function* () {
      const identity = yield* identityOf(lookup, options)
      const checkpoint = yield* Checkpoint.file<never>({ file, outputs: {}, identity, every, resume })
      const { isComplete, ledger, resumePoint } = checkpoint
      begin(ledger)
      const batches = isComplete
        ? Stream.empty
        : Lookup.batches(ids, lookup, { ...options, ledger, resumePoint })
      return batches.pipe(
        // A batch is recorded when more is asked for after its last outcome: then the loop has been through it.
        Stream.flatMap((batch) =>
          Stream.concat(
            Stream.fromIterable(batch.outcomes),
            Stream.fromEffectDrain(checkpoint.record(batch, {}))
          )
        ),
        Stream.concat(Stream.fromEffectDrain(checkpoint.complete))
      )
    }).pipe(Stream.unwrap, Stream.provide(services))
  }

const save =
  (client: PromiseClient.PromiseClient, services: Services) =>
  async (ids: unknown, output: string, options: bulk.Options & Saving): Promise<Ledger.Ledger> => {
    const { endpoint, progress, signal } = options
    let ledger = Ledger.make()
    const onStart = (started: Ledger.Ledger): Effect.Effect<void> =>
      Effect.sync(() => {
        ledger = started
      })
    const run = identifiers(bulk.arriving(ids), options).pipe(
      Checkpoint.run(lookupOf(endpoint, options), output, { ...options, onStart }),
      Stream.fromEffectDrain,
      Stream.provide(services),
      bulk.reported(progress, bulk.lengthOf(ids), () => ledger)
    )
    for await (const _ of (signal === undefined ? client : client.with({ signal })).iterate(run)) void _
    return ledger
  }
