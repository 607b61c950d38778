/**
 * Runs bulk lookups without Effect: a list of identifiers in, outcomes in a `for await` loop out.
 *
 * On Node, `createChemstream` of the `node` entry adds connection timeouts, and runs that can be resumed.
 */
import { Options } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import { createClient, PromiseClient } from "@chemstream/client"
import type { ItemReader } from "../identifiers/Identifiers.ts"
import type { InvalidChunk } from "../identifiers/internal/inputChunks.ts"
import type {
  Endpoint,
  FailureOf,
  Name,
  OtherOptionsOf,
  ProjectionOf,
  RecordOf
} from "../lookups/internal/lookupsByName.ts"
import type { ProgressOptions, Run, RunOptions } from "./internal/promiseRun.ts"
import * as bulk from "./internal/promiseRun.ts"

export type {
  Endpoint,
  FailureOf,
  Name,
  OtherOptionsOf,
  ProgressOptions,
  ProjectionOf,
  RecordOf,
  Run,
  RunOptions
}

/**
 * The source of identifiers or items: an array, an iterable, an async iterable, a Node stream or a web stream.
 * Text is either strings with one identifier each, or bytes with one identifier a line.
 */
export type Ids<Item> = (Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>) & object

/** An endpoint and its options. */
export type Request<N, P> = {
  /** A lookup by its name, e.g. `"details.byDtxsid"` for `Details.byDtxsid`, or any `Lookup`. */
  readonly endpoint: N
  /** The named set of fields of the records. Default: that of the lookup. */
  readonly projection?: P | undefined
} & OtherOptionsOf<N>

/** Looks up identifiers. `Extra` are further options of a run. */
export interface BulkLookup<Extra = unknown> {
  <const N extends Endpoint, const P extends ProjectionOf<N> = never>(
    ids: Ids<string> | Ids<Uint8Array>,
    options: Request<N, P> & RunOptions & Extra & { readonly id?: undefined; readonly carried?: undefined }
  ): Run<RecordOf<N, P>, ChemError.ChemError | FailureOf<N>, undefined>
  <const N extends Endpoint, Item, const P extends ProjectionOf<N> = never, C = undefined>(
    items: Ids<Item>,
    options: Request<N, P> & RunOptions & Extra & ItemReader<Item, C>
  ): Run<RecordOf<N, P>, ChemError.ChemError | FailureOf<N>, C>
}

/**
 * The errors that runs and calls throw, each with a `_tag`. A run also throws the error of its input, of a function of the program and
 * of an aborted signal as it is, and `save` of the Node entry throws those of its files.
 */
export type Rejection = PromiseClient.Rejection | InvalidChunk

/** Bulk lookups and their client. */
export interface Chemstream<Extra = unknown> extends AsyncDisposable {
  /**
   * Looks up identifiers. Nothing is sent until the run is iterated.
   *
   * @example
   * ```ts
   * import { createChemstream } from "@chemstream/stream"
   *
   * const massesOfPeaks = async (baseUrl: string, apiKey: string) => {
   *   const chemstream = await createChemstream({ baseUrl, apiKey })
   *   const rows = [{ peak: 1, dtxsid: "DTXSID7020182" }]
   *   const masses = new Map<number, number | null | undefined>()
   *   const run = chemstream.lookup(rows, {
   *     endpoint: "details.byDtxsid",
   *     projection: "compact",
   *     id: (row) => row.dtxsid,
   *     carried: (row) => row.peak
   *   })
   *   for await (const outcome of run) {
   *     if (outcome._tag === "Found") masses.set(outcome.carried, outcome.records[0]?.monoisotopicMass)
   *   }
   *   await chemstream.close()
   *   return masses
   * }
   * ```
   */
  readonly lookup: BulkLookup<Extra>
  /** Single calls, as promises. */
  readonly client: PromiseClient.PromiseClient
  /** Stops all runs and closes the connections. */
  readonly close: () => Promise<void>
}

/**
 * Makes bulk lookups with the settings of `createClient`. Close it at the end. With Node 24 or newer, `await
 * using` closes it.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http"
 * import { createChemstream } from "@chemstream/stream"
 *
 * const service = createServer((_, response) => response.end('[{"dtxsid":"DTXSID7020182","casrn":"80-05-7"}]'))
 * await new Promise((resolve) => service.listen(0, "127.0.0.1", () => resolve(undefined)))
 * const { port } = service.address() as import("node:net").AddressInfo
 *
 * const chemstream = await createChemstream({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "my key" })
 * const seen: Array<string> = []
 * const ids = ["DTXSID7020182", "DTXSID3039242"]
 * for await (const outcome of chemstream.lookup(ids, { endpoint: "details.byDtxsid", projection: "compact" })) {
 *   seen.push(outcome._tag === "Found" ? `${outcome.records[0]?.casrn}` : `${outcome._tag} ${outcome.id}`)
 * }
 * await chemstream.close()
 * service.close()
 * seen // => ["80-05-7", "Missing DTXSID3039242"]
 * ```
 */
export const createChemstream = async (settings?: PromiseClient.Settings): Promise<Chemstream> =>
  fromClient(await createClient(settings))

/** Makes bulk lookups with an existing client. Closing them closes the client. */
export const fromClient = (client: PromiseClient.PromiseClient): Chemstream => {
  Options.refuseArguments({ client: Options.required(PromiseClient.clientKind) }, [client])
  return {
    client,
    lookup: bulk.bulkLookup(client) as BulkLookup,
    close: client.close,
    [Symbol.asyncDispose]: client.close
  }
}
