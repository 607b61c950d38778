/** Rows of one command, which `--part`, `--by` and switches choose. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Key, Row } from "@chemstream/api"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Schema } from "effect"
import { CliOutput } from "effect/cli"
import { describe, expect, it } from "vitest"
import { runArguments } from "../src/chemstream.ts"
import * as CommandIndex from "../src/endpoints/commandIndex.ts"
import * as RecordKinds from "../src/endpoints/recordKinds.ts"
import * as fetchFlags from "../src/harvest/fetchFlags.ts"
import { script } from "../src/help/completions.ts"
import { toText } from "../src/help/helpText.ts"
import { load } from "../src/index.ts"
import * as EndpointTools from "../src/mcp/endpointTools.ts"
import { folder } from "./process.ts"
import { scripted } from "./scripted.ts"

const studyId = Key.integer("studyId", { one: "a study", many: "studies", example: "12" })
const studyType = Key.text("studyType", { one: "a study type", many: "study types", example: "chronic" })

const common = { section: "-", multiplicity: "many", miss: "empty" } as const

const Data = Schema.Struct({ id: Schema.Int })
const Effects = Schema.Struct({ effect: Schema.String })

const data = {
  ...common,
  what: "study data",
  record: () => Data,
  command: { words: ["animals", "toxref"], part: "data" }
} as const

const effects = {
  ...common,
  what: "effects",
  record: () => Effects,
  command: { words: ["animals", "toxref"], part: "effects" }
} as const

const names = { ...common, record: () => Data } as const

const get = (path: `/${string}`) => ({ path, answer: "list" }) as const

const rows: ReadonlyArray<Row.Row> = [
  Row.make({ ...data, name: "animals.toxrefDataByStudyId", key: studyId, get: get("/data/by-id/{studyId}") }),
  Row.make({ ...data, name: "animals.toxrefDataByDtxsid", key: Key.dtxsid, get: get("/data/{dtxsid}") }),
  Row.make({
    ...effects,
    name: "animals.toxrefEffectsByDtxsid",
    key: Key.dtxsid,
    get: get("/effects/{dtxsid}")
  }),
  Row.make({
    ...effects,
    name: "animals.toxrefEffectsByStudyType",
    key: studyType,
    page: "pageNumber",
    get: { path: "/effects/by-type/{studyType}", answer: "page" }
  }),
  Row.make({
    ...common,
    name: "animals.genetox",
    what: "genotoxicity summaries",
    key: Key.dtxsid,
    record: () => Data,
    get: get("/genetox/{dtxsid}")
  }),
  Row.make({
    ...common,
    name: "animals.genetoxDetails",
    what: "genotoxicity details",
    key: Key.dtxsid,
    record: () => Effects,
    get: get("/genetox/details/{dtxsid}"),
    command: { words: ["animals", "genetox"], flag: { name: "details", description: "Write each test" } }
  }),
  ...(["predicted", "experimental"] as const).map((part) =>
    Row.make({
      ...names,
      name: `traits.${part}Names`,
      what: `names of ${part} traits`,
      get: get(`/names/${part}`),
      command: { words: ["traits", "names"], part }
    })
  )
]

const substance = "DTXSID7020182"

/** Runs a command in this process, with its records in a file. Returns the paths that it requested. */
const pathsOf = async (args: ReadonlyArray<string>, others = rows): Promise<ReadonlyArray<string>> => {
  const at = folder()
  writeFileSync(join(at, "key"), "a-key")
  const { requests, url } = await scripted(() => ({ body: "[]" }))
  const out = join(at, "out.ndjson")
  await running([...args, "--base-url", url, "--api-key-file", join(at, "key"), "-q", "-o", out], others)
  expect(readFileSync(out, "utf8")).toBe("")
  return requests.map(({ path }) => path)
}

const silent = CliOutput.layerPresenter({ present: () => Effect.void })

const effectOf = (args: ReadonlyArray<string>, others = rows) =>
  runArguments(args, others).pipe(Effect.provide(Layer.merge(NodeServices.layer, silent)))

const running = (args: ReadonlyArray<string>, others = rows): Promise<void> =>
  Effect.runPromise(effectOf(args, others))

/** The message of a command that is refused before it requests anything. */
const refusalOf = async (args: ReadonlyArray<string>, others = rows): Promise<string> => {
  const error = await Effect.runPromise(Effect.flip(effectOf(args, others)))
  return String((error as { readonly message: string }).message)
}

describe("a command of rows with parts", () => {
  it.each([
    [[substance], `/data/${substance}`],
    [["--by", "study-id", "12"], "/data/by-id/12"],
    [["--part", "data", "--by", "dtxsid", substance], `/data/${substance}`],
    [["--part", "effects", substance], `/effects/${substance}`],
    [["--part", "effects", "--by", "study-type", "chronic"], "/effects/by-type/chronic?pageNumber=1"]
  ])(
    "looks up %j with the row of the first part and the first key, or of the options",
    async (args, path) => {
      expect(await pathsOf(["animals", "toxref", ...args])).toEqual([path])
    }
  )

  it.each([
    [[substance], `/genetox/${substance}`],
    [["--details", substance], `/genetox/details/${substance}`]
  ])("looks up %j with the row of its switch", async (args, path) => {
    expect(await pathsOf(["animals", "genetox", ...args])).toEqual([path])
  })

  it.each([
    [[], "/names/predicted"],
    [["--part", "experimental"], "/names/experimental"]
  ])("lists %j without values", async (args, path) => {
    expect(await pathsOf(["traits", "names", ...args])).toEqual([path])
  })

  it.each([
    [["--part", "data", "--by", "study-type", "chronic"], "--part data --by study-type"],
    [["--by", "study-type", "chronic"], "--by study-type"],
    [["--part", "effects", "--by", "study-id", "12"], "--part effects --by study-id"]
  ])("refuses %j, with the combinations that there are", async (args, given) => {
    expect(await refusalOf(["animals", "toxref", ...args])).toBe(
      `no records for ${given}. Give --part data --by dtxsid|study-id, or --part effects --by dtxsid|study-type`
    )
  })

  it("names its options in completions", async () => {
    const bash = script("bash", await load(undefined, rows))
    expect(bash).toContain("'data' 'effects'")
    expect(bash).toContain("'dtxsid' 'study-id' 'study-type'")
  })

  it("names its harvests and kinds of records by words, parts, switches and keys", () => {
    const expected = [
      "animals-toxref",
      "animals-toxref-by-study-id",
      "animals-toxref-effects",
      "animals-toxref-effects-by-study-type",
      "animals-genetox",
      "animals-genetox-details"
    ]
    expect([...CommandIndex.lookups(rows).keys()]).toEqual(expected)
    const kinds = RecordKinds.of(rows)
    expect(Object.keys(kinds).slice(0, 6)).toEqual([
      "animals-toxref",
      "animals-toxref-effects",
      "animals-genetox",
      "animals-genetox-details",
      "traits-names",
      "outcome"
    ])
    for (const { name } of rows) expect(RecordKinds.find(kinds, name)?.description, name).toMatch(/^A record/)
  })

  it.each([
    ["animals-toxref-effects-by-study-type", "animals.toxrefEffectsByStudyType"],
    ["animals toxref --part effects --by study-type", "animals.toxrefEffectsByStudyType"],
    ["animals toxref --part=data", "animals.toxrefDataByDtxsid"],
    ["animals genetox --details", "animals.genetoxDetails"],
    ["animals.toxrefDataByStudyId", "animals.toxrefDataByStudyId"],
    ["animals toxref --part data --by study-type", undefined],
    ["traits names", undefined]
  ])("has the harvest %s", (text, expected) => {
    expect(fetchFlags.fetchedOf(text, CommandIndex.lookups(rows), rows)?.spec).toEqual(
      expected === undefined ? undefined : { own: expected }
    )
  })

  it("is a view of the tool, with the parts and keys that each view takes", () => {
    const [animals, traits] = EndpointTools.of(rows)
    const lookupOf = (given: EndpointTools.Given) => {
      const source = animals?.sourceOf(given)
      return typeof source === "object" && "lookup" in source ? source.lookup.endpoint : source
    }
    expect(lookupOf({})).toBe("animals.toxrefDataByDtxsid")
    expect(lookupOf({ part: "effects", by: "study-type" })).toBe("animals.toxrefEffectsByStudyType")
    expect(lookupOf({ view: "genetox-details" })).toBe("animals.genetoxDetails")
    expect(lookupOf({ part: "data", by: "study-type" })).toBe(
      "view=toxref has no records for part=data by=study-type; it has part=data by=dtxsid, part=data by=study-id, part=effects by=dtxsid, part=effects by=study-type."
    )
    expect(traits?.sourceOf({ part: "experimental" })).toMatchObject({
      catalogue: { name: "traits.experimentalNames" }
    })
  })

  it("writes the records of the row with its texts by default, whatever the lengths of names", async () => {
    const row = {
      ...common,
      key: Key.dtxsid,
      record: () => Data,
      what: "uses"
    } as const
    const words = ["animals", "uses"] as const
    const uses: ReadonlyArray<Row.Row> = [
      Row.make({
        ...row,
        name: "animals.words",
        get: get("/words/{dtxsid}"),
        command: { words, part: "words" }
      }),
      Row.make({
        ...row,
        name: "animals.categories",
        get: get("/categories/{dtxsid}"),
        command: { words, part: "categories", description: "Uses of substances" }
      })
    ]
    const paths = await pathsOf(["animals", "uses", substance], uses)
    expect(paths).toEqual([`/categories/${substance}`])
  })

  it("is refused if its options do not tell its rows apart", () => {
    const [first, second] = rows
    const same = { ...second, name: "animals.otherByStudyId", key: studyId } as Row.Row
    expect(() => CommandIndex.of([first as Row.Row, same])).toThrow(
      "animals.toxrefDataByStudyId and animals.otherByStudyId have the same words, part and key"
    )
    const list = { ...rows.at(-1), command: { words: ["animals", "toxref"], part: "names" } } as Row.Row
    expect(() => CommandIndex.of([first as Row.Row, list])).toThrow(/one of them has no key/)
  })
})

/** Ten commands in each of nine families. */
const families: ReadonlyArray<Row.Row> = Array.from({ length: 90 }, (_, n) =>
  Row.make({
    ...common,
    name: `family${n % 9}.${"abcdefghij"[Math.floor(n / 9)]}List`,
    what: `records ${n}`,
    key: Key.dtxsid,
    record: () => Data,
    get: get(`/${n}/{dtxsid}`)
  })
)

/** The help of a command, 80 columns wide. */
const helpOf = async (words: ReadonlyArray<string>, others: ReadonlyArray<Row.Row>): Promise<string> => {
  let help = ""
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") help = toText(event.helpDoc, { columns: 80, styled: false })
      })
  })
  const layer = Layer.merge(NodeServices.layer, presenter)
  await Effect.runPromise(runArguments([...words, "--help"], others).pipe(Effect.provide(layer)))
  return help
}

describe("the help of a parameter", () => {
  it("names every choice that needs it", async () => {
    const help = (await helpOf(["properties", "summary"], [])).replaceAll(/\s+/g, " ")
    expect(help).toContain(
      "--propName NAME The propName, for --by name or --part predicted or --part experimental"
    )
  })
})

describe("many rows", () => {
  it("add one line to the first help for each family", async () => {
    const before = (await helpOf([], [])).split("\n")
    const after = (await helpOf([], families)).split("\n")
    const added = after.filter((line) => !before.includes(line))
    expect(added).toEqual(
      Array.from({ length: 9 }, (_, n) => expect.stringMatching(new RegExp(`^  family${n} +Records`)))
    )
    expect(after).toHaveLength(before.length + 9)
  })

  it("are named by their families in help and messages, except those of the family that is meant", async () => {
    const help = (await helpOf(["harvest", "start"], families)).replace(/\s+/g, " ")
    expect(help).toContain("links…, family0…, family1…, family2…")
    expect(await refusalOf(["help", "fields", "family3", "x"], families)).toContain(
      "the commands with one are family3 a-list, family3 b-list"
    )
    expect(await refusalOf(["schema", "family8-a-lis"], families)).toMatch(
      /did you mean family8-a-list\?\); the records are family8-a-list, family8-b-list/
    )
  })
})
