/**
 * Requests the names and genes of all assay endpoints, once for each client: the list has megabytes.
 */
import { Assays } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import * as Listing from "../lookups/Listing.ts"

/** The name of an assay endpoint, and the symbols of the genes of its target. */
export interface AssayName {
  readonly name: string
  readonly genes: ReadonlyArray<string>
}

/** The names of assay endpoints, by number (`aeid`). */
export type AssayNames = ReadonlyMap<number, AssayName>

const received = new WeakMap<ChemClient.ChemClient["Service"], AssayNames>()

/**
 * Returns the names of all assay endpoints, with one request in the lifetime of a client. A service without the
 * family of assays has none.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Bundled, Service } from "@chemstream/service"
 * import { AssayNames } from "@chemstream/stream"
 * import { Effect, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const apiKey = Redacted.make("a-key")
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
 *   const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
 *   return yield* Effect.provideService(AssayNames.all, ChemClient.ChemClient, client)
 * })
 *
 * const names = await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped))
 * names instanceof Map // => true
 * ```
 */
export const all: Effect.Effect<AssayNames, never, ChemClient.ChemClient> = Effect.flatMap(
  ChemClient.ChemClient,
  (client) => {
    const names = received.get(client)
    return names === undefined
      ? request.pipe(
          Effect.tap((names) => Effect.sync(() => received.set(client, names))),
          Effect.orElseSucceed((): AssayNames => new Map())
        )
      : Effect.succeed(names)
  }
)

/** Returns the names alone, for plots and tables. */
export const plain: Effect.Effect<ReadonlyMap<number, string>, never, ChemClient.ChemClient> = Effect.map(
  all,
  (names) => new Map(Array.from(names, ([aeid, { name }]) => [aeid, name]))
)

const request = Listing.of(Assays.all)
  .all({ projection: "ccd-assay-list" })
  .pipe(
    Stream.runFold(
      (): Map<number, AssayName> => new Map(),
      (names, record) => {
        const aeid = RawRecord.value(record, "aeid")
        const name = RawRecord.value(record, "assayComponentEndpointName")
        if (typeof aeid === "number" && typeof name === "string")
          names.set(aeid, { name, genes: genesOf(RawRecord.value(record, "geneArray")) })
        return names
      }
    )
  )

/** Returns the symbols of one gene or of a list of genes. */
const genesOf = (genes: unknown): ReadonlyArray<string> => {
  if (!RawRecord.isRawRecord(genes)) return []
  const all = [JSON.parse(RawRecord.toText(genes))].flat() as ReadonlyArray<{
    officialSymbol?: unknown
  } | null>
  return all.flatMap((gene) => (typeof gene?.officialSymbol === "string" ? [gene.officialSymbol] : []))
}
