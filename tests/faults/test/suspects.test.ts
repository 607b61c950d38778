/**
 * Screens ions of known substances, with errors inside and outside the window, against the service over its bundled data.
 */
import { Adduct } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Properties } from "@chemstream/figures"
import { Bundled, Service } from "@chemstream/service"
import { Details, Identifiers, Lookup, Structures, Suspects } from "@chemstream/stream"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect, it } from "vitest"
import * as MixedRows from "../src/MixedRows.ts"

const apiKey = Redacted.make("a-key")

/** A measured ion of a substance. */
interface Measured {
  readonly mz: number
  readonly adduct: Adduct.Adduct
  readonly dtxsid: string
  readonly msReady: number
  /** The net charge of the MS-ready form. */
  readonly charge: number
  /** The error of the measurement as a fraction of the tolerance. */
  readonly fraction: number
}

const fractions = [-1.05, -0.95, 0, 0.95, 1.05]

const widthOf = (mz: number, tolerance: Adduct.Tolerance): number =>
  "da" in tolerance ? tolerance.da : (mz * tolerance.ppm) / 1e6

/** Returns the sum of the charges of bracket atoms: `[N+]`, `[O-]`, `[Ca+2]`, `[Ca++]`. */
const chargeOf = (smiles: string): number =>
  [...smiles.matchAll(/\[[^\]]*?([+-]+)(\d*)(?::\d+)?\]/g)]
    .map(([, signs = "", digits = ""]) => (signs[0] === "+" ? 1 : -1) * Number(digits || signs.length))
    .reduce((sum, charge) => sum + charge, 0)

const measure = (
  substances: ReadonlyArray<Pick<Measured, "charge" | "dtxsid" | "msReady">>,
  tolerance: Adduct.Tolerance
): ReadonlyArray<Measured> =>
  [...substances, ...substances].map(({ charge, dtxsid, msReady }, at) => {
    const adduct = Adduct.table[at % Adduct.table.length] as Adduct.Known
    const fraction = fractions[at % fractions.length] as number
    const expected = Adduct.mz(adduct, msReady)
    return {
      mz: expected + fraction * widthOf(expected, tolerance),
      adduct,
      charge,
      dtxsid,
      msReady,
      fraction
    }
  })

it.each([
  ["ppm, a range for each mass", { ppm: 5 }],
  ["dalton, in batches", { da: 0.003 }]
])("finds a substance if and only if the error is within the window (%s)", async (_, tolerance) => {
  const { measured, results } = await Effect.gen(function* () {
    const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
    const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
    return yield* Effect.gen(function* () {
      const ids = Details.pages({ projection: "all-ids" }).pipe(
        Stream.flatMap((page) => Stream.fromIterable(page.records.map(MixedRows.substance))),
        Stream.map(({ dtxsid }, at) => ({ text: String(dtxsid), line: at + 1 }))
      )
      const details = yield* Lookup.outcomes(ids, Details.byDtxsid()).pipe(Stream.runCollect)
      const substances: Array<Pick<Measured, "charge" | "dtxsid" | "msReady">> = []
      for (const outcome of details) {
        if (outcome._tag !== "Found") continue
        const { dtxsid, msReadySmiles } = MixedRows.substance(outcome.records[0] as never)
        if (typeof msReadySmiles !== "string") continue
        const msReady = yield* Properties.mass(msReadySmiles)
        // A molecule lighter than the loss of an adduct has no such ion.
        if (msReady > 60)
          substances.push({ charge: chargeOf(msReadySmiles), dtxsid: String(dtxsid), msReady })
      }
      const measured = measure(substances, tolerance)
      const results = yield* Identifiers.fromIterable(
        measured.map(({ adduct, mz }) => Suspects.feature(String(mz), adduct.name))
      ).pipe(Suspects.outcomes({ tolerance, concurrency: 8 }), Stream.runCollect)
      return { measured, results }
    }).pipe(
      Effect.provideService(ChemClient.ChemClient, client),
      Effect.provideService(Structures.Structures, Properties.structures)
    )
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped, Effect.runPromise)

  expect(measured.length).toBeGreaterThan(500)
  expect(results.length).toBe(measured.length)
  const wrong = measured.flatMap(({ adduct, charge, dtxsid, mz, fraction }, at) => {
    const { status, suspects } = results[at] as Suspects.FeatureResult
    const own = suspects.find((one) => one.dtxsid === dtxsid)
    const isInside = Math.abs(fraction) < 1 && Adduct.fits(adduct, charge)
    if (isInside !== (own !== undefined)) return [`${dtxsid} as ${adduct.name} at ${fraction}: ${status}`]
    if (own === undefined) return []
    const expected = (fraction * widthOf(mz, tolerance) * 1e6) / mz
    return Math.abs((own.error?.ppm ?? 1e9) - expected) < 0.1 && own.adduct === adduct.name
      ? []
      : [`${dtxsid} as ${adduct.name} is ${own.error?.ppm} off, not ${expected} (${own.matchedBy})`]
  })
  expect(wrong).toEqual([])
  // Salts are found by their MS-ready form.
  expect(results.some(({ suspects }) => suspects.some(({ matchedBy }) => matchedBy === "msready"))).toBe(true)
  expect(results.some(({ status }) => status === "missing")).toBe(true)
})
