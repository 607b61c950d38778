/**
 * The searches of suspects in batches: they find what exact ranges find, in both dialects, and what happens when a
 * service refuses batches or responds with something else.
 */
import { Adduct, Dialect } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Ledger, Lookup, MsReady, Suspects } from "@chemstream/stream"
import { Effect, Logger, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type ReceivedRequest, type Respond, type ScriptedResponse } from "./lookupService.ts"

interface MassBatch {
  readonly masses: ReadonlyArray<number>
  readonly error?: number
}

/** A substance, with the mass of its MS-ready form. */
interface Substance {
  readonly dtxsid: string
  readonly mass: number
}

/** Writes a mass as the service of a dialect does: the public service as Java writes a double. */
const keyOf = (mass: number, dialect: Dialect.Name): string =>
  dialect === "ctx" && mass < 1e-3 ? "1.0E-4" : Number.isInteger(mass) ? `${mass}.0` : String(mass)

/** Responds as a service of a dialect does. */
const respondAs =
  (dialect: Dialect.Name, substances: ReadonlyArray<Substance>): Respond =>
  ({ body, method, url }) => {
    const within = (start: number, end: number): ReadonlyArray<string> =>
      substances.filter(({ mass }) => mass >= start && mass <= end).map(({ dtxsid }) => dtxsid)
    if (url.includes("/detail/")) {
      const wanted = new Set(body as ReadonlyArray<string>)
      return ok(
        JSON.stringify(
          substances
            .filter(({ dtxsid }) => wanted.has(dtxsid))
            // A salt: its own mass is another one.
            .map(({ dtxsid, mass }) => ({ dtxsid, monoisotopicMass: mass + 22, msReadySmiles: "C" }))
        )
      )
    }
    if (method === "POST") {
      const { error = 0.005, masses } = body as MassBatch
      const lists = masses.map((mass) => {
        const width = dialect === "ctx" ? (mass * error) / 1e6 : error
        return [keyOf(mass, dialect), within(mass - width, mass + width)]
      })
      return ok(JSON.stringify(Object.fromEntries(lists)))
    }
    const [start = Number.NaN, end = Number.NaN] = url.split("/").slice(-2).map(Number)
    return ok(JSON.stringify(within(start, end)))
  }

interface Screened {
  readonly results: ReadonlyArray<Suspects.FeatureResult>
  /** The requests by mass. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  readonly warnings: ReadonlyArray<string>
  readonly ledger: Ledger.Ledger
}

const screen = (
  respond: Respond,
  features: ReadonlyArray<string>,
  { dialect, ...options }: Suspects.Options & { readonly dialect: Dialect.Name }
): Promise<Screened> =>
  Effect.gen(function* () {
    const requests: Array<ReceivedRequest> = []
    const warnings: Array<string> = []
    const ledger = Ledger.make()
    const client = yield* clientOf(
      (request) => {
        if (request.url.includes("by-mass")) requests.push(request)
        return respond(request)
      },
      { dialect }
    )
    const logger = Logger.make<unknown, void>(({ message }) => void warnings.push(String(message)))
    const results = yield* Identifiers.fromIterable(features).pipe(
      Suspects.outcomes({ ...options, ledger }),
      Stream.runCollect,
      Effect.provide(client),
      Effect.provide(Logger.layer([logger]))
    )
    return { results, requests, warnings, ledger }
  }).pipe(Effect.scoped, Effect.runPromise)

/** Looks up masses with a service in this dialect. */
const outcomesOf = (
  respond: Respond,
  dialect: Dialect.Name,
  masses: ReadonlyArray<number>,
  options: Parameters<typeof MsReady.byMass>[0]
) =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond, { dialect })
    return yield* Identifiers.fromIterable(masses.map(String)).pipe(
      Lookup.outcomes(MsReady.byMass(options)),
      Stream.runCollect,
      Effect.provide(client)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

const found = ({ results }: Screened): ReadonlyArray<unknown> =>
  results.map(({ status, suspects }) => [
    status,
    suspects.map(({ adduct, dtxsid }) => `${adduct} ${dtxsid}`).toSorted()
  ])

const dialects: ReadonlyArray<Dialect.Name> = ["specification", "ctx"]

const round = (mass: number): number => Number(mass.toFixed(9))

const noBatches =
  (respond: Respond, status = 405, body = '{"status":405,"detail":"no"}'): Respond =>
  (request) =>
    request.method === "POST" && request.url.includes("by-mass") ? { status, body } : respond(request)

const scenario = fc.record({
  features: fc.array(
    fc.double({ min: 60, max: 1500, noNaN: true }).map((mz) => Number(mz.toFixed(4))),
    {
      minLength: 1,
      maxLength: 40
    }
  ),
  adducts: fc.uniqueArray(fc.constantFrom<Adduct.Adduct>(Adduct.neutral, ...Adduct.table), {
    minLength: 1,
    maxLength: 3
  }),
  tolerance: fc.oneof(
    fc.double({ min: 0.01, max: 1000, noNaN: true }).map((ppm): Adduct.Tolerance => ({ ppm })),
    fc.constantFrom<Adduct.Tolerance>({ ppm: 5 }, { ppm: 10 }, { da: 0.001 }, { da: 0.5 }),
    fc.double({ min: 1e-6, max: 1, noNaN: true }).map((da): Adduct.Tolerance => ({ da }))
  ),
  /** The masses of substances: a feature, the distance in widths of its window, and in the last decimal. */
  places: fc.array(
    fc.tuple(
      fc.nat(),
      fc.constantFrom(-4, -2, -1, -1, -0.5, 0, 0.5, 1, 1, 1.5, 2, 30),
      fc.constantFrom(0, 0, 1, -1)
    ),
    { maxLength: 60 }
  )
})

describe("suspects in batches of masses", () => {
  it.each(dialects)(
    "are those of exact ranges, for all masses, adducts and tolerances (%s)",
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ adducts, features, places, tolerance }) => {
          const ions = features.flatMap((mz) => adducts.map((adduct) => ({ adduct, mz })))
          const substances = places.map(([at, widths, decimals], number): Substance => {
            const { adduct, mz } = ions[at % ions.length] as (typeof ions)[number]
            const width = round(Adduct.massTolerance(adduct, mz, tolerance))
            const mass = round(Adduct.neutralMass(adduct, mz))
            return {
              dtxsid: `DTXSID${String(1_000_000 + number)}`,
              mass: Math.max(0, round(mass + widths * width + decimals * 1e-9))
            }
          })
          const respond = respondAs(dialect, substances)
          const options = { adducts, tolerance, dialect }
          const texts = features.map(String)
          const batched = await screen(respond, texts, options)
          const exact = await screen(noBatches(respond), texts, options)
          expect(found(batched)).toEqual(found(exact))
          expect(batched.warnings).toEqual([])
          expect(batched.requests.length).toBeLessThanOrEqual(exact.requests.length)
        }),
        { numRuns: 25 }
      )
    }
  )
})

it.each(dialects)(
  "msready mass finds the substances of exact ranges, in ppm and in dalton (%s)",
  async (dialect) => {
    const places = fc.array(fc.tuple(fc.nat(), fc.constantFrom(-1, 0, 1, 2), fc.constantFrom(1, -1)), {
      minLength: 1,
      maxLength: 40
    })
    const values = fc.uniqueArray(
      fc.double({ min: 3, max: 1500, noNaN: true }).map((mass) => Number(mass.toFixed(4))),
      { minLength: 1, maxLength: 20 }
    )
    const tolerances = fc.oneof(
      fc.double({ min: 0.1, max: 1000, noNaN: true }).map((ppm) => ({ ppm })),
      fc.constantFrom({}, { tolerance: 0.01 }, { tolerance: 1 })
    )
    await fc.assert(
      fc.asyncProperty(places, values, tolerances, async (places, values, options) => {
        const widthOf = (mass: number): number =>
          round(
            "ppm" in options ? (mass * options.ppm) / 1e6 : "tolerance" in options ? options.tolerance : 0.005
          )
        const substances = places.map(([at, widths, decimals], number): Substance => {
          const mass = values[at % values.length] as number
          const place = mass + widths * widthOf(mass) + decimals * 1e-8
          return { dtxsid: `DTXSID${1_000_000 + number}`, mass: Math.max(0, round(place)) }
        })
        const outcomes = await outcomesOf(respondAs(dialect, substances), dialect, values, options)
        const expected = values.map((mass) =>
          substances
            // The specification's batch in dalton has the ends of the service. No substance is at them.
            .filter((one) => Math.abs(one.mass - mass) <= widthOf(mass))
            .map(({ dtxsid }) => `{"query":"${mass}","dtxsid":"${dtxsid}"}`)
            .toSorted()
        )
        const found = outcomes.map((outcome) =>
          outcome._tag === "Found" ? outcome.records.map(RawRecord.toText).toSorted() : []
        )
        expect(found).toEqual(expected)
      }),
      { numRuns: 25 }
    )
  }
)

describe.each(dialects)("msready mass at the ends of the range of masses (%s)", (dialect) => {
  /** The public service writes smaller masses in another form. */
  const smallest = dialect === "ctx" ? 1e-3 : 0
  const values = [
    ...[0, 1e-6, 4e-4, 1e-3, 0.002, 0.03, 0.5, 0.999, 1, 1.001, 1.5, 2, 2.001, 15, 31, 32],
    ...[999_966, 999_996.999, 999_997, 999_997.5, 999_998, 999_998.001, 999_999, 999_999.5, 1_000_000]
  ]

  it.each([
    [{ ppm: 0.1 }],
    [{ ppm: 1 }],
    [{ ppm: 1.0001 }],
    [{ ppm: 40 }],
    [{ ppm: 1000 }],
    [{ ppm: 40_000 }],
    [{ tolerance: 0 }],
    [{ tolerance: 0.03 }],
    [{ tolerance: 1 }]
  ])(
    "finds every substance of %j, and sends no mass and no tolerance that a service refuses",
    async (options) => {
      const widthOf = (mass: number): number =>
        round("ppm" in options ? (mass * options.ppm) / 1e6 : options.tolerance)
      const substances = values
        .flatMap((mass) => [-2, -0.9, 0, 0.9, 2].map((widths) => round(mass + widths * widthOf(mass))))
        .filter((mass) => mass >= 0 && mass <= 1_000_000)
        .map((mass, at) => ({ dtxsid: `DTXSID${1_000_000 + at}`, mass }))
      const respond = respondAs(dialect, substances)
      const refused: Array<unknown> = []
      const strict: Respond = (request) => {
        const { error = 0, masses } = (request.body ?? { masses: [] }) as MassBatch
        const isValid =
          masses.every((mass) => mass === Dialect.controlMass || (mass >= smallest && mass <= 1_000_000)) &&
          (dialect === "ctx" ? Number.isInteger(error) : error <= 1)
        if (!isValid) refused.push(request.body)
        return respond(request)
      }
      const outcomes = await outcomesOf(strict, dialect, values, options)
      const found = outcomes.map((outcome) =>
        outcome._tag === "Found"
          ? outcome.records.map((one) => String(RawRecord.value(one, "dtxsid"))).toSorted()
          : outcome._tag
      )
      const within = values.map((mass) => {
        const [start, end] = [round(mass - widthOf(mass)), round(mass + widthOf(mass))]
        const those = substances.filter((one) => one.mass >= start && one.mass <= end)
        return those.map(({ dtxsid }) => dtxsid).toSorted()
      })
      expect(found).toEqual(within)
      expect(refused).toEqual([])
    }
  )
})

const protonated = Adduct.table[0] as Adduct.Adduct
const masses = Array.from({ length: 300 }, (_, n) => 100 + 2.5 * n)
const substances = masses
  .filter((_, n) => n % 3 === 0)
  .map((mass, n) => ({ dtxsid: `DTXSID${1_000_000 + n}`, mass: round(mass * (1 + 2e-6)) }))
const features = masses.map((mass) => String(Adduct.mz(protonated, mass)))

describe.each(dialects)("with a service that refuses batches of masses (%s)", (dialect) => {
  const options = { adducts: [protonated], tolerance: { ppm: 5 }, dialect }
  const respond = respondAs(dialect, substances)

  it.each([
    [404, ""],
    [404, '{"status":404,"title":"Not Found","detail":"No static resource chemical/msready"}'],
    [405, '{"status":405,"detail":"Method POST is not supported."}'],
    [413, ""],
    [500, '{"status":500,"error":"Internal Server Error","path":"/x"}']
  ])("each mass is a request of its own, and one line says so: %i %s", async (status, body) => {
    const batched = await screen(respond, features, options)
    const refused = await screen(noBatches(respond, status, body), features, options)
    expect(found(refused)).toEqual(found(batched))
    expect(refused.warnings).toEqual([
      expect.stringContaining("the service refuses batches of masses, so each mass is a request of its own")
    ])
    expect(refused.requests.filter(({ method }) => method === "GET")).toHaveLength(features.length)
    expect(refused.requests.filter(({ method }) => method === "POST").length).toBeLessThanOrEqual(16)
    expect(refused.ledger.requests).toBe(refused.requests.length + 1)
  })

  it.each([400, 404, 405, 413, 500])("learns a smaller batch from the status %i", async (status) => {
    const limited: Respond = (request) =>
      request.method === "POST" &&
      request.url.includes("by-mass") &&
      (request.body as MassBatch).masses.length > 100
        ? { status, body: JSON.stringify({ status, detail: "no" }) }
        : respond(request)
    const batched = await screen(limited, features, options)
    expect(found(batched)).toEqual(found(await screen(respond, features, options)))
    expect(batched.requests.filter(({ method }) => method === "GET")).toEqual([])
    expect(batched.requests.length).toBeLessThanOrEqual(20)
    expect(batched.warnings).toEqual([])
  })
})

describe.each(dialects)("with a response to a batch that is not about its masses (%s)", (dialect) => {
  const options = { adducts: [protonated], tolerance: { ppm: 5 }, dialect }
  const respond = respondAs(dialect, substances)
  const altered =
    (change: (response: Record<string, unknown>) => Record<string, unknown>): Respond =>
    (request) => {
      const response: ScriptedResponse = respond(request)
      return request.method === "POST" && request.url.includes("by-mass")
        ? ok(JSON.stringify(change(JSON.parse(String(response.body)))))
        : response
    }

  it("masses that are missing in it are searched for on their own", async () => {
    const batched = await screen(
      altered((lists) => Object.fromEntries(Object.entries(lists).filter(([mass]) => Number(mass) < 500))),
      features,
      options
    )
    expect(found(batched)).toEqual(found(await screen(respond, features, options)))
  })
})

it("a run in specification stops if the service reads the tolerance as ppm", async () => {
  const stopped = screen(respondAs("ctx", substances), features, {
    adducts: [protonated],
    dialect: "specification"
  })
  await expect(stopped).rejects.toMatchObject({ _tag: "MalformedResponse", dialect: "ctx" })
})

it("a run in ctx searches for exact ranges if the service reads the tolerance as dalton", async () => {
  const options = { adducts: [protonated], dialect: "ctx" } as const
  const { results, warnings } = await screen(respondAs("specification", substances), features, options)
  expect(results.filter(({ status }) => status === "found")).toHaveLength(substances.length)
  expect(warnings).toEqual([expect.stringContaining("the service reads the tolerance as dalton")])
})

it("more candidates than a batch may have are looked up in smaller batches, without searching again", async () => {
  const crowd = Array.from({ length: 24_000 }, (_, n) => ({
    dtxsid: `DTXSID${1_000_000 + n}`,
    mass: masses[n % 8] as number
  }))
  const details: Array<number> = []
  const respond = respondAs("specification", crowd)
  const counted: Respond = (request) => {
    if (request.url.includes("/detail/")) details.push((request.body as ReadonlyArray<string>).length)
    return respond(request)
  }
  const batched = await screen(counted, features, {
    adducts: [protonated],
    dialect: "specification",
    concurrency: 1
  })
  expect(batched.results.filter(({ status }) => status === "found")).toHaveLength(8)
  expect(batched.results[7]?.suspects).toHaveLength(3000)
  expect(batched.requests).toHaveLength(1)
  expect(details.reduce((sum, length) => sum + length)).toBe(24_000)
})
