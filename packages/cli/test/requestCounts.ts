/**
 * The work of each command over generated substances, and the fewest requests that the contract allows for it. The benchmark `requests`
 * measures large lists, and `requestCounts.test.ts` small ones.
 */
import { Dialect } from "@chemstream/client"

type Name = Dialect.Name

/** A generated substance. */
export interface Substance {
  readonly dtxsid: string
  readonly dtxcid: string
  readonly inchikey: string
  readonly molFormula: string
  readonly monoisotopicMass: number
  readonly preferredName: string
}

/** The work of a command. */
export interface Work {
  readonly name: string
  /** The arguments of the command, without its input. */
  readonly args: ReadonlyArray<string>
  /** The lines of its input. */
  readonly lines: ReadonlyArray<string>
  /** The fewest requests that the contract allows. */
  readonly fewest: Readonly<Record<Name, number>>
  /** Requests that only check a result. They are counted apart. */
  readonly checks?: RegExp
}

/** The largest batches of words and of mass windows, by dialect. */
const words = { specification: 200, ctx: 100 }
const windows = { specification: 500, ctx: 99 }
const bioactivity = { specification: 1000, ctx: 200 }

/** The largest batch of the other lookups. */
const thousand = { specification: 1000, ctx: 1000 }

const proton = 1.007276467

/** Returns the fewest requests for numbers of values, each number in batches of its own. */
const batches = (
  ...parts: ReadonlyArray<readonly [count: number, largest: Readonly<Record<Name, number>>]>
): Work["fewest"] =>
  Object.fromEntries(
    Dialect.names.map((dialect) => [
      dialect,
      parts.reduce((sum, [count, largest]) => sum + Math.ceil(count / largest[dialect]), 0)
    ])
  ) as Work["fewest"]

const same = (requests: number): Work["fewest"] => ({ specification: requests, ctx: requests })

/** Returns the work of every command over substances. */
export const works = (substances: ReadonlyArray<Substance>): ReadonlyArray<Work> => {
  const count = substances.length
  const some = substances.slice(0, 20)
  const ids = substances.map(({ dtxsid }) => dtxsid)
  const names = substances.map(({ preferredName }) => preferredName)
  const synonyms = /^\/chemical\/search\/equal\/./
  const features = substances.slice(0, Math.ceil(count / 4))
  // Seven of ten are words: names, structures and unknown names.
  const mixed = substances.map(({ dtxcid, dtxsid, inchikey, preferredName }, at) =>
    at % 10 < 4
      ? preferredName
      : at % 10 < 6
        ? inchikey
        : at % 10 < 7
          ? `unknown name ${at}`
          : at % 10 < 9
            ? dtxsid
            : dtxcid
  )
  return [
    { name: "details", args: ["details"], lines: ids, fewest: batches([count, thousand]) },
    {
      name: "details by compound",
      args: ["details", "--by", "dtxcid"],
      lines: substances.map(({ dtxcid }) => dtxcid),
      fewest: batches([count, thousand])
    },
    { name: "synonyms", args: ["synonyms"], lines: ids, fewest: batches([count, thousand]) },
    {
      name: "bioactivity data",
      args: ["bioactivity", "data"],
      lines: ids,
      fewest: batches([count, bioactivity])
    },
    {
      name: "bioactivity summary of 20",
      args: ["bioactivity", "summary"],
      lines: ids.slice(0, 20),
      fewest: same(20)
    },
    {
      name: "search equal --batch",
      args: ["search", "equal", "--batch"],
      lines: names,
      fewest: batches([count, words])
    },
    { name: "search equal of 20", args: ["search", "equal"], lines: names.slice(0, 20), fewest: same(20) },
    {
      name: "formula exact of 20",
      args: ["formula", "exact"],
      lines: some.map(({ molFormula }) => molFormula),
      fewest: same(new Set(some.map(({ molFormula }) => molFormula)).size)
    },
    { name: "resolve substances", args: ["resolve"], lines: ids, fewest: batches([count, thousand]) },
    {
      name: "resolve InChIKeys",
      args: ["resolve"],
      lines: substances.map(({ inchikey }) => inchikey),
      fewest: batches([count, words])
    },
    {
      name: "resolve names",
      args: ["resolve"],
      lines: names,
      fewest: batches([count, words]),
      checks: synonyms
    },
    {
      name: "resolve names --fields molFormula",
      args: ["resolve", "--fields", "molFormula"],
      lines: names,
      fewest: batches([count, words], [count, thousand]),
      checks: synonyms
    },
    {
      name: "resolve mixed, a tenth unknown",
      args: ["resolve"],
      lines: mixed,
      fewest: batches([0.7 * count, words], [0.2 * count, thousand], [0.1 * count, thousand]),
      checks: synonyms
    },
    {
      name: "suspects of a quarter, 2 adducts",
      args: ["suspects", "--adducts", "[M+H]+,[M+Na]+", "--ppm", "5"],
      lines: features.map(({ monoisotopicMass }, at) => (monoisotopicMass + proton + at / 1e7).toFixed(7)),
      fewest: batches([2 * features.length, windows], [1, thousand]),
      checks: /^\/chemical\/msready\/search\/by-mass\/./
    }
  ]
}
