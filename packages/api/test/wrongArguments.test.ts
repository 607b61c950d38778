/** What the functions of the package say about a wrong argument beside right ones. */
import {
  Adduct,
  BatchLimit,
  Casrn,
  ChemicalApi,
  Details,
  Dialect,
  Dtxsid,
  IdentifierKind,
  JsonSchema,
  Key,
  Operation,
  RecordSchema,
  Repair,
  SynonymRecord
} from "@chemstream/api"
import { Result } from "effect"
import { expect, it } from "vitest"

const [protonated] = Adduct.usual.positive as [Adduct.Adduct]
const operation = Operation.single(Details.byDtxsid)
const words = { one: "a medium", many: "media", example: "water" }

it.each<[string, () => unknown]>([
  ['The argument kind is "cas". Give one of dtxsid, ', () => Repair.read("cas" as "casrn", "80-05-7")],
  ["The argument text is 5. Give a text.", () => Repair.read("casrn", 5 as never)],
  ["The argument text is 5. Give a text.", () => Repair.readKey(Key.word, 5 as never)],
  ["The argument value is missing. Give a text.", () => Repair.noteOf("80.05.7", undefined as never)],
  ["The argument mass is NaN. Give a finite number.", () => Adduct.mz(protonated, Number.NaN)],
  ['The argument measured is "5". ', () => Adduct.massError(protonated, "5" as never, 4)],
  ["The argument tolerance is a", () => Adduct.massRange(protonated, 5, { pm: 5 } as never)],
  ["The argument tolerance is a", () => Adduct.massRange(protonated, 5, { ppm: -5 })],
  ['The argument dialect is "epa". ', () => Operation.difference(operation, "epa" as "ctx")],
  ["The argument query is missing. ", () => Operation.partsOf(Details.byDtxsid, {}, undefined as never)],
  ["The argument name is ", () => Operation.groupOf("details")],
  [
    "The argument endpoint is ",
    () => BatchLimit.of(ChemicalApi.ChemicalApi.groups.details.endpoints.byDtxsid)
  ],
  ["The argument kind is a list. ", () => IdentifierKind.withArticle(["casrn"] as never)],
  ["The argument schema is 5. ", () => RecordSchema.inDialect(5 as never, "ctx")],
  ["The argument options is ", () => JsonSchema.of(SynonymRecord.SynonymRecord, { tittle: "x" } as never)],
  ["The argument words is an object. ", () => Key.text("medium", { ...words, one: 5 } as never)],
  ["The argument baseUrl is missing. ", () => Dialect.pace("ctx", undefined as never)],
  ["The argument number is 1.5. ", () => Dtxsid.fromNumber(1.5)]
])("%s", (message, call) => {
  expect(call).toThrow(
    expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(message) })
  )
})

it.each([Dtxsid.verify, Casrn.verify])(
  "a check digit of a text that is no identifier is not verified",
  (verify) => {
    for (const text of ["wrong", "", 5 as never, undefined as never])
      expect(verify(text)).toMatchObject({ failure: { _tag: "InvalidIdentifier", reason: "malformed" } })
  }
)

it.each([Key.aeid, Key.mass, Key.massRange, Key.formulas, Key.word, Key.listWord, Key.text("medium", words)])(
  "the key $name refuses a value that is no text",
  ({ parse }) => {
    expect(Result.isFailure(parse(5 as never))).toBe(true)
    expect(parse(undefined as never)).toMatchObject({ failure: { _tag: "InvalidIdentifier" } })
  }
)
