import { Adduct } from "@chemstream/api"
import { Identifiers, Ledger, Structures, Suspects } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

const adduct = (text: string): Adduct.Adduct => Result.getOrThrow(Adduct.parse(text))

/** Substances with their masses and MS-ready forms. The name of a form is its mass. */
const records = [
  { dtxsid: a, monoisotopicMass: 200, msReadySmiles: "m200", sourcesCount: 5 },
  { dtxsid: b, monoisotopicMass: 260.5, msReadySmiles: "m150.5,m200.001", sourcesCount: 9 },
  { dtxsid: c, monoisotopicMass: null, msReadySmiles: null, sourcesCount: null }
]

const service = () => {
  const asked: Array<string> = []
  const within = (start: number, end: number): ReadonlyArray<string> =>
    [
      [a, 200],
      [b, 200.001],
      [c, 300]
    ].flatMap(([id, mass]) => (Number(mass) >= start && Number(mass) <= end ? [String(id)] : []))
  const respond: Respond = ({ body, method, url }) => {
    asked.push(`${method} ${url.replace("/chemical", "")}`)
    if (url.includes("by-mass") && JSON.stringify([body, url]).includes("950")) {
      return { status: 422, body: '{"status":422,"detail":"no"}' }
    }
    if (url.includes("/detail/")) {
      return ok(
        JSON.stringify(records.filter(({ dtxsid }) => (body as ReadonlyArray<string>).includes(dtxsid)))
      )
    }
    if (method === "POST") {
      const { error = 0.005, masses } = body as {
        readonly error?: number
        readonly masses: ReadonlyArray<number>
      }
      return ok(
        JSON.stringify(Object.fromEntries(masses.map((mass) => [mass, within(mass - error, mass + error)])))
      )
    }
    const [start = Number.NaN, end = Number.NaN] = url.split("/").slice(-2).map(Number)
    return ok(JSON.stringify(within(start, end)))
  }
  return { respond, asked }
}

const unreadable = (smiles: string) => Effect.fail({ message: `${smiles} is no structure` })

/** Reads forms that are a mass. One with `!` has no InChI, one with `?` no InChIKey. */
const structures: Structures.Structures = {
  inchi: (smiles) => (smiles.endsWith("!") ? unreadable(smiles) : Effect.succeed(`InChI=1S/${smiles}/h`)),
  inchikey: (smiles) => (smiles.endsWith("?") ? unreadable(smiles) : Effect.succeed(key("AAAAAAAAAAAAAA"))),
  mass: (smiles) =>
    smiles.startsWith("m") ? Effect.succeed(Number.parseFloat(smiles.slice(1))) : unreadable(smiles)
}

const screen = (
  respond: Respond,
  features: ReadonlyArray<string>,
  options: Suspects.Options,
  dialect: "ctx" | "specification" = "specification"
): Promise<ReadonlyArray<Suspects.FeatureResult>> =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond, { dialect })
    return yield* Identifiers.fromIterable(features).pipe(
      Suspects.outcomes(options),
      Stream.runCollect,
      Effect.provide(client),
      Effect.provideService(Structures.Structures, structures)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

/** Finds all these substances for every mass. */
const knowing =
  (found: ReadonlyArray<{ readonly dtxsid: string }>): Respond =>
  ({ url }) =>
    ok(JSON.stringify(url.includes("/detail/") ? found : found.map(({ dtxsid }) => dtxsid)))

const key = (skeleton: string): string => `${skeleton}-UHFFFAOYSA-N`

const protonated = adduct("[M+H]+")
const at = (mass: number): string => String(Adduct.mz(protonated, mass))
const idsOf = (result: Suspects.FeatureResult | undefined): ReadonlyArray<string> =>
  (result?.suspects ?? []).map(({ dtxsid }) => dtxsid)

describe("Suspects.outcomes", () => {
  it.each<[string, object, object]>([
    [
      "bad,m200.001,worse",
      {},
      {
        msReadySmiles: "m200.001",
        msReadyMass: 200.001,
        matchedBy: "msready",
        matchedForm: { formula: "m200.001" }
      }
    ],
    ["m200.001!", {}, { msReadyMass: 200.001, matchedBy: "msready", matchedForm: null }],
    ["m200.001?", {}, { msReadyMass: 200.001, matchedBy: "msready", matchedForm: null }],
    [
      "bad,worse",
      {},
      { msReadySmiles: "bad", msReadyMass: null, matchedBy: null, matchedForm: null, error: null }
    ],
    ["bad", { monoisotopicMass: 200 }, { msReadySmiles: "bad", msReadyMass: null, matchedBy: "mass" }],
    ["bad", { monoisotopicMass: 0 }, { msReadyMass: null, matchedBy: null, error: null }],
    ["bad", { monoisotopicMass: -200 }, { msReadyMass: null, matchedBy: null, error: null }]
  ])(
    "keeps a substance with the MS-ready forms %s and %j, whatever of them is unreadable",
    async (forms, more, expected) => {
      const one = { dtxsid: a, monoisotopicMass: null, msReadySmiles: forms, ...more }
      const [result] = await screen(knowing([one]), [at(200)], { adducts: [protonated] })
      expect(result?.suspects).toMatchObject([{ dtxsid: a, ...expected }])
    }
  )

  it("returns one result for every feature in order, with ranked suspects", async () => {
    const { respond } = service()
    const ledger = Ledger.make()
    const features = [at(200), at(500), "x", at(200), at(950), "", Suspects.feature("100", "[M+Xy]+")]
    const results = await screen(respond, features, {
      adducts: [protonated],
      tolerance: { ppm: 10 },
      ledger
    })
    expect(results.map(({ status }) => status)).toEqual([
      "found",
      "missing",
      "invalid",
      "found",
      "failed",
      "invalid",
      "invalid"
    ])
    expect(results.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7])
    // The own mass of the first matches. The other has more sources, and only its form matches.
    expect(idsOf(results[0])).toEqual([a, b])
    expect(results.slice(1).filter(({ note, status }) => (note === null) !== (status === "found"))).toEqual(
      []
    )
    expect(ledger).toMatchObject({ read: 7, found: 2, missing: 1, invalid: 3, failed: 1 })
  })

  it("computes the error from the matching mass: its own, or that of an MS-ready form", async () => {
    const { respond } = service()
    const [result] = await screen(respond, [at(200)], { adducts: [protonated], tolerance: { ppm: 10 } })
    const [own, salt] = result?.suspects ?? []
    expect(own).toMatchObject({ matchedBy: "mass", matchedForm: null, msReadyMass: 200, adduct: "[M+H]+" })
    expect(own?.error?.ppm).toBeCloseTo(0, 6)
    expect(salt).toMatchObject({ matchedBy: "msready", msReadySmiles: "m200.001", msReadyMass: 200.001 })
    expect(salt?.matchedForm).toEqual({
      inchi: "InChI=1S/m200.001/h",
      inchikey: key("AAAAAAAAAAAAAA"),
      formula: "m200.001"
    })
    // The error refers to the m/z, not to the mass.
    expect(salt?.error?.ppm).toBeCloseTo((-0.001 / Adduct.mz(protonated, 200.001)) * 1e6, 6)
    const [unknown] = await screen(respond, [at(300)], { adducts: [protonated] })
    expect(unknown?.suspects[0]).toMatchObject({ dtxsid: c, matchedBy: null, error: null, msReadyMass: null })
  })

  it.each([
    ["dalton", { da: 0.01 }],
    ["ppm", { ppm: 10 }]
  ])("searches all masses in a batch, with a tolerance in %s", async (_, tolerance) => {
    const { asked, respond } = service()
    const adducts = [protonated, adduct("[2M+H]+")]
    await screen(respond, [at(200), at(300), at(200)], { adducts, tolerance })
    expect(asked.filter((one) => one.includes("by-mass"))).toEqual(["POST /msready/search/by-mass/"])
  })

  it("uses the adduct of a feature, or the adducts of the run", async () => {
    const { respond } = service()
    const sodium = adduct("[M+Na]+")
    const mz = String(Adduct.mz(sodium, 300))
    const options = { adducts: [protonated], tolerance: { ppm: 5 } }
    const results = await screen(
      respond,
      [mz, Suspects.feature(mz, " M+Na "), Suspects.feature(mz, "")],
      options
    )
    expect(results.map(({ status }) => status)).toEqual(["missing", "found", "missing"])
    expect(results[1]?.suspects[0]?.adduct).toBe("[M+Na]+")
    const [neutral] = await screen(respond, ["300"], { adducts: [Adduct.neutral] })
    expect(idsOf(neutral)).toEqual([c])
  })

  it("tries each adduct of a feature, and the default ones of its sign if it is unknown", async () => {
    const { respond } = service()
    const mz = String(Adduct.mz(adduct("[M+Na]+"), 300))
    const anion = String(Adduct.mz(adduct("[M-H]-"), 300)).replace(".", ",")
    const features = [
      Suspects.feature(mz, "(M+H)+;[M+Na]+"),
      Suspects.feature(mz, "[M+?]+"),
      Suspects.feature(mz, "NA"),
      Suspects.feature(anion, "[M+?]-"),
      Suspects.feature(mz, "[M+1.5H]+")
    ]
    const results = await screen(respond, features, {})
    expect(results.map(({ suspects }) => suspects[0]?.adduct)).toEqual([
      "[M+Na]+",
      "[M+Na]+",
      "[M+Na]+",
      "[M-H]-",
      undefined
    ])
    expect(results[4]).toMatchObject({ status: "invalid", note: expect.stringContaining("a fraction") })
  })

  it("offers a form with a charge only as its own ion, and says what is left out", async () => {
    const choline = { dtxsid: a, monoisotopicMass: 104.10754, smiles: "C[N+](C)(C)CCO" }
    const caffeine = { dtxsid: b, monoisotopicMass: 104.10754, smiles: "CN1C=NC2=C1C(=O)N(C)C(=O)N2C" }
    const found = async (mz: string, record: object, options: Suspects.Options = {}) => {
      const respond: Respond = ({ body, url }) => {
        if (url.includes("/detail/")) return ok(JSON.stringify([record]))
        const { error = 0.005, masses } = body as {
          readonly error?: number
          readonly masses: ReadonlyArray<number>
        }
        const idsAt = (mass: number) =>
          Math.abs(mass - 104.10754) <= error ? [(record as typeof choline).dtxsid] : []
        return ok(JSON.stringify(Object.fromEntries(masses.map((mass) => [mass, idsAt(mass)]))))
      }
      const two = [mz, "900.5"]
      const [result] = await screen(respond, two, options)
      return [result?.status, result?.suspects.map((one) => one.adduct).join(" "), result?.note]
    }
    expect(await found("104.10699", choline)).toEqual(["found", "[M]+", null])
    expect(await found("105.11481", choline)).toEqual([
      "missing",
      "",
      `left out, because the charge of the form does not fit: ${a} as [M+H]+`
    ])
    expect(await found("105.11481", caffeine)).toEqual(["found", "[M+H]+", null])
    expect((await found("104.10699", caffeine))[0]).toBe("missing")
    expect(await found("104.10699", caffeine, { adducts: [adduct("[M]+")] })).toEqual(["found", "[M]+", null])
  })

  it.each([
    ["", "positive", "[M+H]+"],
    ["", " ESI+ ", "[M+H]+"],
    ["", "1", "[M+H]+"],
    ["", "Negative mode", "[M-H]-"],
    ["", "-", "[M-H]-"],
    ["", "−1", "[M-H]-"],
    ["", "", "[M+H]+"],
    ["[M+H]+", "NA", "[M+H]+"],
    ["n.b.", "positiv", "[M+H]+"],
    ["k. A.", "Negativ", "[M-H]-"],
    ["n.a.", "mode négatif", "[M-H]-"],
    ["", "ESI_pos", "[M+H]+"],
    ["", "negative ion mode", "[M-H]-"],
    ["", "H-ESI(+)", "[M+H]+"],
    ["", "positive scan", "[M+H]+"],
    ["", "neg.", "[M-H]-"],
    ["[M-H]-", "", "[M-H]-"],
    ["[M-H]-", "neg", "[M-H]-"],
    ["NA", "neg", "[M-H]-"],
    ["[M+?]-", "", "[M-H]-"]
  ])("tries a feature with the adduct %j and the polarity %j as %s", async (own, polarity, ion) => {
    const { respond } = service()
    const mz = String(Adduct.mz(adduct(ion), 300))
    const [result] = await screen(respond, [Suspects.feature(mz, own, polarity)], {
      adducts: [protonated]
    })
    expect(result).toMatchObject({ status: "found", suspects: [{ dtxsid: c, adduct: ion }] })
  })

  it.each([
    ["", "both", '"both" is not a polarity: write positive or negative, + or -'],
    ["unbekannt", "k.A.", '"k.A." is not a polarity: it is unknown, and so is the adduct'],
    ["[M+H]+", "negative", '"[M+H]+" is not its adduct: the feature is negative']
  ])("refuses a feature with the adduct %j and the polarity %j", async (own, polarity, note) => {
    const { respond } = service()
    const [result] = await screen(respond, [Suspects.feature("229.1", own, polarity)], {})
    expect(result).toMatchObject({ status: "invalid", note })
  })

  it.each([
    [
      "abc",
      "[M+Xy]+",
      "foo",
      "m/z, polarity, adduct",
      /"abc" is not an m\/z.*; "foo" is not a polarity.*; ".*" is not an adduct/
    ],
    ["229.1", "[M+Xy]+", "", "adduct", /^"\[M\+Xy\]\+" is not an adduct/],
    ["229.1", "[M+H]+", "neg", "adduct", /is not its adduct/],
    ["229.1", "", "both", "polarity", /^"both" is not a polarity/],
    ["1.229,1223", "", "", "m/z", /unclear which sign separates thousands, and which decimals/],
    ["1,229", "", "", "m/z", /unclear which sign/],
    ["1 229.1", "", "", "m/z", /unclear which sign/]
  ])("names the faults of %j %j %j, and their parts", (mz, own, polarity, identifier, message) => {
    const found = Suspects.make().lookup.parse(Suspects.feature(mz, own, polarity))
    expect(Result.isFailure(found) && found.failure).toMatchObject({
      identifier,
      message: expect.stringMatching(message)
    })
  })

  it("ranks own masses first, then by the fields of `rankBy`, and then by the error", async () => {
    const ids = ["DTXSID1010001", "DTXSID1010002", "DTXSID1010003", "DTXSID1010004", "DTXSID1010005"]
    const [ownLate, formBest, ownBest, ownNear, none] = ids as [string, string, string, string, string]
    const found = [
      { dtxsid: ownLate, monoisotopicMass: 200.0005, msReadySmiles: "m200.0005", sourcesCount: 1 },
      { dtxsid: formBest, monoisotopicMass: 260.5, msReadySmiles: "m200", sourcesCount: 900 },
      { dtxsid: ownBest, monoisotopicMass: 200.001, msReadySmiles: "m200.001", sourcesCount: "20" },
      { dtxsid: ownNear, monoisotopicMass: 200, msReadySmiles: "m200", sourcesCount: 1 },
      { dtxsid: none, monoisotopicMass: 200, msReadySmiles: null, sourcesCount: null }
    ]
    const respond = knowing(found)
    const settings = { adducts: [protonated], tolerance: { ppm: 10 } }
    const [all] = await screen(respond, [at(200)], settings)
    expect(idsOf(all)).toEqual([ownBest, ownNear, ownLate, none, formBest])
    expect(all?.suspects.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5])
    expect(all?.note).toBe(null)
    const [byError] = await screen(respond, [at(200)], { ...settings, rankBy: [] })
    expect(idsOf(byError)).toEqual([ownNear, none, ownLate, ownBest, formBest])
    const [best] = await screen(respond, [at(200)], { ...settings, best: 2 })
    expect(idsOf(best)).toEqual([ownBest, ownNear])
    expect(best?.note).toBe("3 more candidates")
  })

  it("puts equal candidates in the order of their DTXSIDs, and each in the order of the adducts", async () => {
    const unknown = (dtxsid: string) => ({ dtxsid, monoisotopicMass: null, msReadySmiles: null })
    const adducts = ["[M+Na]+", "[M+H]+", "[M+K]+", "[M+NH4]+"].map(adduct)
    const [result] = await screen(knowing([c, a, b].map(unknown)), [at(200)], { adducts })
    expect(result?.suspects.map(({ adduct: name, dtxsid, rank }) => `${rank} ${dtxsid} ${name}`)).toEqual(
      [a, c, b]
        .toSorted()
        .flatMap((id, n) => adducts.map(({ name }, m) => `${n * adducts.length + m + 1} ${id} ${name}`))
    )
  })

  it.each<readonly [string, object, object]>([
    [
      "the form with the closest mass",
      { msReadySmiles: "m199.9995,m200.0001, m201" },
      { msReadyMass: 200.0001 }
    ],
    ["the first of two forms of one mass", { msReadySmiles: "m200.5,m199.5" }, { msReadySmiles: "m200.5" }],
    ["no blank form", { msReadySmiles: " , m200 ," }, { msReadySmiles: "m200", matchedBy: "msready" }],
    [
      "its own mass, if it is as close as that of the form",
      { monoisotopicMass: 200, msReadySmiles: "m200" },
      { matchedBy: "mass", matchedForm: null, msReadyMass: 200 }
    ],
    [
      "the form, if it is closer than its own mass",
      { monoisotopicMass: 200.1, msReadySmiles: "m200" },
      { matchedBy: "msready", msReadyMass: 200 }
    ],
    [
      "its own mass without a form",
      { monoisotopicMass: 200.1, msReadySmiles: null },
      { matchedBy: "mass", msReadyMass: null, msReadySmiles: null }
    ],
    ["no mass of 0", { monoisotopicMass: 0 }, { matchedBy: null, error: null }],
    ["no mass that is a text", { monoisotopicMass: "200" }, { matchedBy: null, error: null }]
  ])("matches a substance by %s", async (_, record, match) => {
    const [result] = await screen(knowing([{ dtxsid: a, ...record }]), [at(200)], { adducts: [protonated] })
    expect(result?.suspects).toMatchObject([match])
  })

  it("merges the candidates of one skeleton and adduct under the best of them", async () => {
    const ids = ["DTXSID1010001", "DTXSID1010002", "DTXSID1010003", "DTXSID1010004"]
    const [salt, parent, isomer, other] = ids as [string, string, string, string]
    const found = [
      { dtxsid: salt, monoisotopicMass: 260.5, msReadySmiles: "m200", inchikey: key("SALTSALTSALTSA") },
      { dtxsid: parent, monoisotopicMass: 200, msReadySmiles: "m200", inchikey: key("AAAAAAAAAAAAAA") },
      { dtxsid: isomer, monoisotopicMass: 200, msReadySmiles: "m200", inchikey: key("AAAAAAAAAAAAAA") },
      { dtxsid: other, monoisotopicMass: 200, msReadySmiles: "m200", inchikey: null }
    ]
    const respond = knowing(found)
    const [result] = await screen(respond, [at(200)], {
      ...{ adducts: [protonated], tolerance: { ppm: 10 }, merge: "skeleton", best: 1 }
    })
    expect(result?.suspects).toMatchObject([{ dtxsid: parent, rank: 1, merged: [isomer, salt], more: 1 }])
    const [apart] = await screen(respond, [at(200)], { adducts: [protonated], tolerance: { ppm: 10 } })
    expect(apart?.suspects.map(({ merged }) => merged)).toEqual([[], [], [], []])
  })
})

describe("the text of a feature", () => {
  it.each([
    [["227.1077"], "227.1077"],
    [["227.1077", "[M-H]-"], "227.1077 [M-H]-"],
    [["227.1077", " [M-H]- ", " neg "], "227.1077 [M-H]- neg"],
    [["227.1077", "", "ESI-"], "227.1077 ESI-"],
    [["227.1077", " ", " "], "227.1077"],
    [[""], ""]
  ] as const)("of %j is for people %j", ([mz, adduct, polarity], text) => {
    expect(Suspects.displayText(Suspects.feature(mz, adduct, polarity))).toBe(text)
  })
})
