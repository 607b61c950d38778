/**
 * The work of each command over generated substances, and the fewest requests that the contract allows for it. The benchmark `requests`
 * measures large lists, and `requestCounts.test.ts` small ones.
 */
import { Dialect } from "@chemstream/client"

type Name = Dialect.Name

/** A generated substance. */
export interface Substance {
  readonly dtxsid: string
  readonly casrn: string
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
  /** The lines of its input. Undefined: it has none. */
  readonly lines?: ReadonlyArray<string>
  /** The name of its input. Default: `lines`. */
  readonly input?: string
  /** The name of its output. Default: `out.ndjson`. */
  readonly output?: string
  /** Whether it writes a JSON summary. Default: true. */
  readonly hasSummary?: boolean
  /** The fewest requests that the contract allows. */
  readonly fewest: Readonly<Record<Name, number>>
  /** Requests that only check a result. They are counted apart. */
  readonly checks?: RegExp
}

/** The largest batches, by dialect. */
const words = { specification: 200, ctx: 100 }
const windows = { specification: 500, ctx: 99 }
const bioactivity = { specification: 1000, ctx: 200 }
const compounds = { specification: 1000, ctx: 1 }
const pages = { specification: 10_000, ctx: 1000 }
const thousand = { specification: 1000, ctx: 1000 }
const alone = { specification: 1, ctx: 1 }

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

const distinct = (values: ReadonlyArray<string>): number => new Set(values).size

const synonyms = /^\/chemical\/search\/equal\/./

/** Returns the work of every command over substances. `m4ids` are those of data records. */
export const works = (
  substances: ReadonlyArray<Substance>,
  m4ids: ReadonlyArray<string>
): ReadonlyArray<Work> => [
  ...lookupWorks(substances, m4ids),
  ...tableWorks(substances),
  ...pictureWorks(substances, m4ids),
  ...longWorks(substances)
]

const lookupWorks = (
  substances: ReadonlyArray<Substance>,
  m4ids: ReadonlyArray<string>
): ReadonlyArray<Work> => {
  const count = substances.length
  const ids = substances.map(({ dtxsid }) => dtxsid)
  const names = substances.map(({ preferredName }) => preferredName)
  const compoundIds = substances.map(({ dtxcid }) => dtxcid)
  const masses = substances.map(({ monoisotopicMass }) => String(monoisotopicMass))
  const formulas = substances.slice(0, 20).map(({ molFormula }) => molFormula)
  const twenty = <T>(values: ReadonlyArray<T>): ReadonlyArray<T> => values.slice(0, 20)
  const ofFormulas = batches([distinct(formulas), alone])
  const ofTwenty = batches([20, alone])
  return [
    { name: "details", args: ["details"], lines: ids, fewest: batches([count, thousand]) },
    {
      name: "details by compound",
      args: ["details", "--by", "dtxcid"],
      lines: compoundIds,
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
      name: "bioactivity data by M4ID",
      args: ["bioactivity", "data", "--by", "m4id"],
      lines: m4ids,
      fewest: batches([m4ids.length, bioactivity])
    },
    {
      name: "bioactivity aed",
      args: ["bioactivity", "aed"],
      lines: ids,
      fewest: batches([count, bioactivity])
    },
    {
      name: "bioactivity summary of 20",
      args: ["bioactivity", "summary"],
      lines: twenty(ids),
      fewest: ofTwenty
    },
    {
      name: "search equal --batch",
      args: ["search", "equal", "--batch"],
      lines: names,
      fewest: batches([count, words])
    },
    { name: "search equal of 20", args: ["search", "equal"], lines: twenty(names), fewest: ofTwenty },
    {
      name: "search start-with of 20",
      args: ["search", "start-with"],
      lines: twenty(names),
      fewest: ofTwenty
    },
    { name: "search contain of 20", args: ["search", "contain"], lines: twenty(names), fewest: ofTwenty },
    { name: "formula exact of 20", args: ["formula", "exact"], lines: formulas, fewest: ofFormulas },
    {
      name: "formula exact --count of 20",
      args: ["formula", "exact", "--count"],
      lines: formulas,
      fewest: ofFormulas
    },
    { name: "formula msready of 20", args: ["formula", "msready"], lines: formulas, fewest: ofFormulas },
    {
      name: "msready dtxcid of 20",
      args: ["msready", "dtxcid"],
      lines: twenty(compoundIds),
      fewest: batches([20, compounds])
    },
    { name: "msready formula of 20", args: ["msready", "formula"], lines: formulas, fewest: ofFormulas },
    {
      name: "msready mass",
      args: ["msready", "mass"],
      lines: masses,
      fewest: batches([distinct(masses), { ...thousand, ctx: windows.ctx }])
    },
    {
      name: "msready mass --ppm",
      args: ["msready", "mass", "--ppm", "5"],
      lines: masses,
      fewest: batches([distinct(masses), windows])
    },
    {
      name: "msready mass --range",
      args: ["msready", "mass", "--range", "200,200.2"],
      fewest: batches([1, alone])
    }
  ]
}

const tableWorks = (substances: ReadonlyArray<Substance>): ReadonlyArray<Work> => {
  const count = substances.length
  const names = substances.map(({ preferredName }) => preferredName)
  const some = substances.slice(0, 20)
  const formulas = some.map(({ molFormula }) => molFormula)
  const skeletons = some.map(({ inchikey }) => inchikey.slice(0, 14))
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
    {
      name: "resolve substances",
      args: ["resolve"],
      lines: substances.map(({ dtxsid }) => dtxsid),
      fewest: batches([count, thousand])
    },
    {
      name: "resolve CAS numbers",
      args: ["resolve"],
      lines: substances.map(({ casrn }) => casrn),
      fewest: batches([count, words])
    },
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
      name: "resolve CAS numbers and names",
      args: ["resolve", "--key", "casrn,name"],
      input: "rows.csv",
      output: "rows-out.csv",
      lines: ["casrn,name", ...substances.map(({ casrn }, at) => `${casrn},"${names[at]}"`)],
      fewest: batches([2 * count, words]),
      checks: synonyms
    },
    {
      name: "resolve formulas of 20",
      args: ["resolve"],
      lines: formulas,
      fewest: batches([distinct(formulas), alone], [1, thousand])
    },
    {
      name: "resolve skeletons of 20",
      args: ["resolve"],
      lines: skeletons,
      fewest: batches([distinct(skeletons), alone])
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

const pictureWorks = (
  substances: ReadonlyArray<Substance>,
  m4ids: ReadonlyArray<string>
): ReadonlyArray<Work> => {
  const ids = substances.map(({ dtxsid }) => dtxsid)
  const count = ids.length
  // One page has at most 500 pictures.
  const [drawn, curves] = [ids.slice(0, 100), m4ids.slice(0, 400)]
  return [
    {
      name: "show",
      args: ["show"],
      lines: ids,
      output: "cards.txt",
      hasSummary: false,
      fewest: batches([count, thousand], [count, thousand], [count, alone])
    },
    {
      name: "show one structure",
      args: ["show"],
      lines: ids.slice(0, 1),
      output: "one.svg",
      hasSummary: false,
      fewest: batches([1, alone])
    },
    {
      name: "report",
      args: ["report"],
      lines: ids,
      output: "report.html",
      hasSummary: false,
      fewest: batches([count, thousand], [count, bioactivity], [count, alone])
    },
    {
      name: "plot bioactivity of 100",
      args: ["plot", "bioactivity"],
      lines: drawn,
      output: "plots.html",
      hasSummary: false,
      fewest: batches([drawn.length, thousand], [drawn.length, bioactivity], [drawn.length, alone])
    },
    {
      name: "plot curve of 400",
      args: ["plot", "curve"],
      lines: curves,
      output: "curves.html",
      hasSummary: false,
      // One more has the names of the endpoints.
      fewest: batches([curves.length, bioactivity], [1, alone])
    }
  ]
}

const longWorks = (substances: ReadonlyArray<Substance>): ReadonlyArray<Work> => {
  const ids = substances.map(({ dtxsid }) => dtxsid)
  const count = ids.length
  const harvest = (name: string, ...more: ReadonlyArray<string>) => ({
    name: `harvest ${name}`,
    args: ["harvest", "start", name, "--database", `${name}.sqlite`, "--quiet", ...more],
    hasSummary: false
  })
  // The list of all substances ends with an empty page.
  return [
    { name: "all", args: ["all"], fewest: batches([count, pages], [1, alone]) },
    {
      ...harvest("of-details"),
      lines: ids,
      output: "details/records.ndjson",
      fewest: batches([count, thousand])
    },
    {
      ...harvest("of-two-kinds", "--fetch", "details,synonyms"),
      lines: ids,
      output: "joined/records.ndjson",
      fewest: batches([count, thousand], [count, thousand])
    },
    {
      ...harvest("of-data", "--fetch", "bioactivity-data"),
      lines: ids,
      output: "data/records.ndjson",
      fewest: batches([count, bioactivity])
    },
    {
      ...harvest("of-all", "--all"),
      output: "everything/records.ndjson",
      fewest: batches([count, pages], [1, alone], [count, thousand])
    }
  ]
}

/** Returns the arguments of a work in its folder: those of its command, its input and its output. */
export const argsOf = ({
  args,
  input = "lines",
  lines,
  output = "out.ndjson"
}: Work): ReadonlyArray<string> => [
  ...args,
  ...(lines === undefined ? [] : ["--input", input]),
  "--output",
  output
]

/** Returns the paths of the requests in the log of the service. */
export const pathsOf = (log: string): ReadonlyArray<string> =>
  Array.from(log.matchAll(/"path":"([^"]*)"/g), ([, path = ""]) => path)
