/**
 * Requests the names and units of assay endpoints for the labels of pictures, each once. A service without the family of assays
 * has none, and the pictures have the numbers of the endpoints.
 */
import { Assays } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import type { Potency } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"

/** The largest number of endpoints whose names a plot of hit calls needs. */
export const mostLabels = 8

/** The labels of the endpoints that the service knows, by number (`aeid`). */
export interface Labels {
  readonly names: ReadonlyMap<number, string>
  readonly units: ReadonlyMap<number, string>
}

/** Returns the labels of all endpoints that were asked for. */
export type EndpointNames = (aeids: Iterable<number>) => Effect.Effect<Labels, never, ChemClient.ChemClient>

export const make = (): EndpointNames => {
  const names = new Map<number, string>()
  const units = new Map<number, string>()
  const requested = new Set<number>()
  let isServed = true
  return (aeids) =>
    Effect.suspend(() => {
      const unknown = [...new Set(aeids)].filter((aeid) => !requested.has(aeid))
      for (const aeid of unknown) requested.add(aeid)
      if (unknown.length === 0 || !isServed) return Effect.succeed({ names, units })
      return Identifiers.fromIterable(unknown.map(String)).pipe(
        Lookup.outcomes(Lookup.of(Assays.annotation), { availability: { wait: 0 } }),
        Stream.runForEach((outcome) =>
          Effect.sync(() => {
            if (outcome._tag === "Failed") isServed = false
            if (outcome._tag !== "Found") return
            const [record] = outcome.records
            const { aeid, assayComponentEndpointName, normalizedDataType }: Annotation =
              record === undefined ? {} : JSON.parse(RawRecord.toText(record))
            if (typeof assayComponentEndpointName === "string")
              names.set(Number(aeid), assayComponentEndpointName)
            if (typeof normalizedDataType === "string")
              units.set(Number(aeid), normalizedDataType.replaceAll("_", " "))
          })
        ),
        // A picture without names is better than none.
        Effect.catch(() =>
          Effect.sync(() => {
            isServed = false
          })
        ),
        Effect.as({ names, units })
      )
    })
}

interface Annotation {
  readonly aeid?: unknown
  readonly assayComponentEndpointName?: unknown
  readonly normalizedDataType?: unknown
}

/** Returns the numbers of the active endpoints. */
export const activeOnly = (endpoints: ReadonlyArray<Potency.Endpoint>): ReadonlyArray<number> =>
  endpoints.flatMap(({ ac50, aeid }) => (ac50 === undefined ? [] : [aeid]))

/** The number of values whose endpoints are named with one request. */
const namedAtOnce = 100

/** Adds the labels of its endpoints to each value of a stream. */
export const label =
  <A>(aeidsOf: (value: A) => Iterable<number>) =>
  <E, R>(
    values: Stream.Stream<A, E, R>
  ): Stream.Stream<readonly [A, Labels], E, R | ChemClient.ChemClient> => {
    const labelsOf = make()
    return values.pipe(
      Stream.grouped(namedAtOnce),
      Stream.mapEffect((group) =>
        Effect.map(labelsOf(group.flatMap((value) => [...aeidsOf(value)])), (labels) =>
          group.map((value) => [value, labels] as const)
        )
      ),
      Stream.flattenIterable
    )
  }
