/**
 * Requests the names, genes and units of assay endpoints, each once in the lifetime of a client.
 *
 * A service without the family of assays has none. Then tables and pictures have the numbers of the endpoints.
 */
import { Assays } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Semaphore, Stream } from "effect"
import * as Identifiers from "../identifiers/Identifiers.ts"
import * as Lookup from "../lookups/Lookup.ts"

/** An assay endpoint. */
export interface AssayName {
  readonly name: string
  /** The symbols of the genes of its target. */
  readonly genes: ReadonlyArray<string>
  /** The unit of its responses. */
  readonly unit?: string | undefined
}

/** Assay endpoints by number (`aeid`). */
export type AssayNames = ReadonlyMap<number, AssayName>

/** The kind of `AssayNames`, for declarations of options (`Options`). */
export const kind: Options.Kind<AssayNames> = /* @__PURE__ */ Options.instance(
  "a map of AssayNames.of",
  "get"
)

/** What is known about the endpoints of the service of a client. */
interface Known {
  readonly names: Map<number, AssayName>
  readonly requested: Set<number>
  /** Whether the service has the family of assays, as far as is known. */
  isServed: boolean
  /** Lets one request run at a time, so that a name is not missing while another batch waits for it. */
  readonly lock: Semaphore.Semaphore
}

const known = new WeakMap<ChemClient.ChemClient["Service"], Known>()

const knownOf = (client: ChemClient.ChemClient["Service"]): Known => {
  const one = known.get(client) ?? {
    names: new Map(),
    requested: new Set(),
    isServed: true,
    lock: Semaphore.makeUnsafe(1)
  }
  known.set(client, one)
  return one
}

/**
 * Returns the assay endpoints of these numbers, and those that the client requested before. After a failure that a retry
 * can help, the numbers are requested again the next time. The map grows with later requests of the client.
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
 *   return yield* Effect.provideService(AssayNames.of([990001]), ChemClient.ChemClient, client)
 * })
 *
 * const names = await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped))
 * names.get(990001)?.genes // => ["AHR"]
 * ```
 */
export const of = (aeids: Iterable<number>): Effect.Effect<AssayNames, never, ChemClient.ChemClient> =>
  Effect.flatMap(ChemClient.ChemClient, (client) => {
    Options.refuseArguments({ aeids: Options.required(Options.iterable("numbers")) }, [aeids])
    const one = knownOf(client)
    return one.lock.withPermits(1)(Effect.suspend(() => request(one, aeids)))
  })

const request = (
  one: Known,
  aeids: Iterable<number>
): Effect.Effect<AssayNames, never, ChemClient.ChemClient> => {
  const { names, requested } = one
  const isNew = (aeid: number): boolean => Number.isSafeInteger(aeid) && !requested.has(aeid)
  const wanted = one.isServed ? [...new Set(aeids)].filter(isNew) : []
  if (wanted.length === 0) return Effect.succeed(names)
  for (const aeid of wanted) requested.add(aeid)
  const failed = (some: Iterable<number>, { retryable }: { readonly retryable: boolean }): void => {
    if (!retryable) one.isServed = false
    for (const aeid of some) if (!names.has(aeid)) requested.delete(aeid)
  }
  return Identifiers.fromIterable(wanted.map(String)).pipe(
    Lookup.outcomes(Lookup.of(Assays.annotation), { availability: { wait: 0 } }),
    Stream.runForEach((outcome) =>
      Effect.sync(() => {
        if (outcome._tag === "Failed") failed([Number(outcome.id)], outcome.error)
        if (outcome._tag === "Found") for (const record of outcome.records) add(names, record)
      })
    ),
    // A table or a picture without names is better than none.
    Effect.catch((error) =>
      Effect.sync(() => failed(wanted, "retryable" in error ? error : { retryable: true }))
    ),
    Effect.as(names)
  )
}

const add = (names: Map<number, AssayName>, record: RawRecord.RawRecord): void => {
  const {
    aeid,
    assayComponentEndpointName: name,
    gene,
    normalizedDataType: unit
  } = JSON.parse(RawRecord.toText(record)) as Readonly<Record<string, unknown>>
  if (typeof name === "string")
    names.set(Number(aeid), {
      name,
      genes: genesOf(gene),
      ...(typeof unit === "string" ? { unit: unit.replaceAll("_", " ") } : {})
    })
}

/** Returns the symbols of one gene or of a list of genes. */
const genesOf = (genes: unknown): ReadonlyArray<string> =>
  ([genes].flat() as ReadonlyArray<Gene | null | undefined>).flatMap((gene) => {
    const symbol = gene?.officialSymbol ?? gene?.geneSymbol
    return typeof symbol === "string" ? [symbol] : []
  })

interface Gene {
  readonly officialSymbol?: unknown
  readonly geneSymbol?: unknown
}

const plainNames = new WeakMap<AssayNames, ReadonlyMap<number, string>>()

/** Returns the names alone, for plots and tables. */
export const plain = (names: AssayNames): ReadonlyMap<number, string> => {
  const made = plainNames.get(Options.argument("names", kind, names))
  if (made?.size === names.size) return made
  const all = new Map(Array.from(names, ([aeid, { name }]) => [aeid, name]))
  plainNames.set(names, all)
  return all
}

/** The number of values whose endpoints are requested together. */
const together = 100

/** Adds the names of its endpoints to each value of a stream. */
export const label =
  <A>(aeidsOf: (value: A) => Iterable<number>) =>
  <E, R>(
    values: Stream.Stream<A, E, R>
  ): Stream.Stream<readonly [A, AssayNames], E, R | ChemClient.ChemClient> => {
    Options.refuseArguments(labelArguments, [values, aeidsOf])
    return values.pipe(
      Stream.grouped(together),
      Stream.mapEffect((group) =>
        Effect.map(of(group.flatMap((value) => [...(aeidsOf(value) ?? [])])), (names) =>
          group.map((value) => [value, names] as const)
        )
      ),
      Stream.flattenIterable
    )
  }

const labelArguments = { values: Options.required(Options.stream), aeidsOf: Options.required(Options.func) }
