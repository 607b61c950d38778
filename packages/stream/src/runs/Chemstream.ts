/**
 * Bulk lookups without Effect: a list of identifiers in, outcomes out, in a `for await` loop.
 *
 * The runs are those of `Lookup`, over a client of `createClient`. On Node, `createChemstream` of the `node` entry has a
 * transport with connection time-outs, and runs that can be continued.
 */
import type { ChemError } from "@chemstream/client"
import { createClient, type PromiseClient } from "@chemstream/client"
import type { Reading } from "../identifiers/Identifiers.ts"
import type {
  Endpoint,
  FailureOf,
  Name,
  OthersOf,
  ProjectionOf,
  RecordOf
} from "../lookups/internal/catalogue.ts"
import type { ProgressOptions, Run, RunOptions } from "./internal/promiseRun.ts"
import * as bulk from "./internal/promiseRun.ts"

export type { Endpoint, FailureOf, Name, OthersOf, ProgressOptions, ProjectionOf, RecordOf, Run, RunOptions }

/**
 * Where identifiers, or items that have one, come from: an array, any iterable or async iterable, a stream of Node or of the
 * web. Text comes as strings, each an identifier, or as bytes, one identifier a line.
 */
export type Ids<Item> = (Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item>) & object

/** What is asked for: the endpoint, and what that takes beside identifiers. */
export type Question<N, P> = {
  /** A lookup by its name, e.g. `"details.byDtxsid"` for `Details.byDtxsid`, or any lookup as it is. */
  readonly endpoint: N
  /** Which fields the records have. Default: the service's own. */
  readonly projection?: P | undefined
} & OthersOf<N>

/** Looks identifiers up. `Extra` is what a surrounding adds to the options of a run. */
export interface LookUp<Extra = unknown> {
  <const N extends Endpoint, const P extends ProjectionOf<N> = never>(
    ids: Ids<string> | Ids<Uint8Array>,
    options: Question<N, P> & RunOptions & Extra & { readonly id?: undefined; readonly carried?: undefined }
  ): Run<RecordOf<N, P>, ChemError.ChemError | FailureOf<N>, undefined>
  <const N extends Endpoint, Item, const P extends ProjectionOf<N> = never, C = undefined>(
    items: Ids<Item>,
    options: Question<N, P> & RunOptions & Extra & Reading<Item, C>
  ): Run<RecordOf<N, P>, ChemError.ChemError | FailureOf<N>, C>
}

/** Bulk lookups, and the client that they ask. */
export interface Chemstream<Extra = unknown> extends AsyncDisposable {
  /**
   * Looks identifiers up. Describing a run sends nothing.
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
  readonly lookup: LookUp<Extra>
  /** The calls one by one, as promises. */
  readonly client: PromiseClient.PromiseClient
  /** Ends the runs under way and closes the connections. */
  readonly close: () => Promise<void>
}

/**
 * Bulk lookups with a client of these settings, which are those of `createClient`. Close it at the end; with Node 24 or newer,
 * `await using` does so by itself.
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
export const createChemstream = async (
  settings?: PromiseClient.Given<PromiseClient.Settings>
): Promise<Chemstream> => fromClient(await createClient(settings))

/** Bulk lookups with a client that there is. Closing them closes the client. */
export const fromClient = (client: PromiseClient.PromiseClient): Chemstream => ({
  client,
  lookup: bulk.lookUp(client) as LookUp,
  close: client.close,
  [Symbol.asyncDispose]: client.close
})
