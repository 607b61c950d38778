/**
 * `chemstream suspects`: finds candidate substances for the m/z of features, or for masses.
 */

import { Adduct, Placeholder, Quote } from "@chemstream/api"
import { Properties } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Structures, SuspectRows, Suspects } from "@chemstream/stream"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { type CommandFailure, usageFailure } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { optionalChoice, optionalNumber, optionalText, optionalWhole, values } from "../../flags/flagTypes.ts"
import * as NameList from "../../flags/nameList.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as KeyColumns from "../../input/keyColumns.ts"
import * as TableRun from "../../run/tableRun.ts"
import * as IdentifierRows from "../../tables/identifierRows.ts"
import * as ProjectionChoice from "../../tables/projectionChoice.ts"
import * as RetentionTimes from "../../tables/retentionTimes.ts"
import * as SuspectLists from "../../tables/suspectLists.ts"
import * as TableFlags from "../../tables/tableFlags.ts"
import * as Messages from "../../terminal/messages.ts"

/** The format of the rows, which a continued run must not mix. 2: with the column `rank`. */
const rowFormat = 2

const largestBatch = Suspects.make().lookup.size

const tolerance = (name: string, unit: string, largest: number, otherwise: string) =>
  optionalNumber(
    name,
    "N",
    `Tolerance of the m/z to both sides, in ${unit}${otherwise}`,
    (value) => value > 0 && value <= largest,
    `a number of ${unit} above 0, at most ${largest}`
  )

const suspectFlags = {
  values: values("MZ", "The m/z of features [default: those of --input, else of standard input]"),
  mz: optionalText("mz", "COLUMN", "Column of the m/z, if the input is a table"),
  adduct: optionalText(
    "adduct",
    "COLUMN",
    "Column of the adduct; a feature without one is tried with all of --adducts"
  ),
  rt: optionalText("rt", "COLUMN", "Column of the retention time, for the list of --for"),
  rtUnit: optionalChoice(
    "rt-unit",
    ["min", "s"],
    "Unit of --rt, converted for the program of --for: patroon reads seconds, mzmine minutes [default: that in the name of the column, e.g. Rt(min); otherwise not converted]"
  ),
  polarity: optionalChoice(
    "polarity",
    ["positive", "negative", "neutral"],
    `Adducts to try: positive ${Adduct.usual.positive.map(({ name }) => name).join(", ")}; negative ${Adduct.usual.negative.map(({ name }) => name).join(", ")}; neutral none, the values are masses [default: positive]`
  ),
  polarityColumn: optionalText(
    "polarity-column",
    "COLUMN",
    "Column of the polarity of each feature, e.g. positive, ESI- or -1; one without polarity and adduct has that of --polarity or --adducts, and is invalid without these options"
  ),
  adducts: NameList.list(
    "adducts",
    "A,B",
    "Adducts to try, instead of those of --polarity, e.g. '[M+H]+,[M+Na]+'"
  ),
  ppm: tolerance("ppm", "parts per million", 1000, " [default: 5]"),
  da: tolerance("da", "dalton", 1, ", instead of --ppm"),
  rankBy: NameList.list(
    "rank-by",
    "A,B",
    `Fields by which candidates are sorted, larger first, own masses before those of a form [default: ${Suspects.defaultRanks.join(", ")}]`
  ),
  best: optionalWhole("best", 1, "Most candidates of a feature, the best ones [default: all]"),
  merge: optionalChoice(
    "merge",
    ["skeleton"],
    "Write one row for the candidates of a feature that differ in stereochemistry, isotopes or counter-ions alone"
  ),
  fields: NameList.list(
    "fields",
    "A,B,C",
    `Fields of the detail records that are written [default: ${SuspectRows.defaultFields.join(", ")}]`
  ),
  for: optionalChoice(
    "for",
    SuspectLists.programs,
    "Write a suspect list for this program, without rows for features that have no suspect"
  ),
  run: TableFlags.flags(largestBatch),
  client: clientFlags.flags,
  dryRun: clientFlags.dryRun
}

type Given = Command.Command.Config.Infer<typeof suspectFlags>

export const suspects = Command.make("suspects", suspectFlags, (flags) =>
  Effect.gen(function* () {
    const { best, client, merge, run, values } = flags
    const { adducts, columns, fields, program, rankBy, massTolerance } = yield* settingsOf(flags)
    yield* TableFlags.checkFiles(run, values, client)
    const withClient = clientFlags.provide(client, flags)
    const requiredFields = [
      ...fields,
      ...rankBy,
      ...(program === undefined ? [] : ["inchiString"]),
      ...(merge === undefined ? [] : ["inchikey"])
    ]
    const projection = yield* withClient(ProjectionChoice.projectionOf(requiredFields))
    const table = yield* IdentifierRows.open(
      TableFlags.inputOf(run, values, columns, "--mz"),
      ([mz = "", ...others]) => {
        // The cells of `columns`: m/z, then adduct and polarity, each only if its column is given.
        const [adduct, polarity] = flags.adduct === undefined ? ["", ...others] : others
        return Suspects.feature(mz, adduct, polarityOf(flags, polarity))
      }
    )
    warnAboutColumns(table, flags)
    const layout = { columns: table.columns, isTable: table.isTable, fields, isMerged: merge !== undefined }
    const options = { tolerance: massTolerance, adducts, rankBy, projection, best, merge }
    const { lookup, result: screened } = Suspects.make({
      ...options,
      concurrency: run.concurrency,
      onFailure: run.onFailure
    })
    const rows = SuspectRows.make(layout)
    const list = program === undefined ? undefined : SuspectLists.make(program)
    const rt = yield* timeColumn(table, flags.rt)
    const rtUnit = flags.rtUnit ?? RetentionTimes.unitOf(rt ?? "")
    const times =
      program === undefined || rt === undefined ? undefined : RetentionTimes.of(program, rt, rtUnit)
    yield* TableRun.run(
      table,
      {
        lookup,
        shown: Suspects.displayText,
        noun: "candidate",
        rows: (outcome) => {
          const result = screened(outcome)
          return list === undefined
            ? rows(result)
            : list(result.suspects, featureOf(result, rt, times?.inUnit))
        },
        names: (columns) => SuspectRows.names({ ...layout, columns }),
        types: SuspectRows.types,
        columns: program && SuspectLists.names(program).map((name) => ({ name })),
        settings: {
          suspects: JSON.stringify({ ...options, fields, program, rt, rtUnit, columns }),
          rows: rowFormat
        }
      },
      TableFlags.optionsOf(run, flags)
    ).pipe(
      withClient,
      Effect.provideService(Structures.Structures, Properties.structures),
      Effect.ensuring(Effect.sync(() => times?.warn()))
    )
  }).pipe(Effect.scoped)
).pipe(
  withHelp(
    "Candidate substances for the m/z of features, or for masses, with mass errors, sorted by their data counts",
    {
      "chemstream suspects 229.1223 --ppm 5": "One m/z as the usual positive ions",
      "chemstream suspects --input features.csv --mz mz --adduct adduct --output suspects.csv":
        "A feature table: a row for each feature and candidate",
      "chemstream suspects --input features.csv --mz mz --polarity negative --for metfrag --output list.csv":
        "A local database for MetFrag"
    }
  )
)

/** Returns the settings of the options. Fails if two options exclude each other. */
const settingsOf = (flags: Given) =>
  Effect.gen(function* () {
    if (flags.ppm !== undefined && flags.da !== undefined)
      return yield* usageFailure("give --ppm or --da, not both")
    const massTolerance: Adduct.Tolerance =
      flags.da === undefined ? { ppm: flags.ppm ?? 5 } : { da: flags.da }
    const { fields, for: program, polarity = "positive" } = flags
    if (program !== undefined && fields !== undefined)
      return yield* usageFailure("--for sets the columns: omit --fields")
    if (flags.polarityColumn !== undefined && polarity === "neutral")
      return yield* usageFailure("--polarity-column has no effect on masses: omit --polarity neutral")
    const columns = [flags.mz, flags.adduct, flags.polarityColumn].filter((name) => name !== undefined)
    if (flags.mz === undefined && columns.length > 0)
      return yield* usageFailure("--adduct and --polarity-column need --mz: the columns of one table")
    return {
      adducts: yield* adductsOf(flags.adducts, polarity),
      columns,
      fields: fields ?? SuspectRows.defaultFields,
      program,
      rankBy: flags.rankBy ?? Suspects.defaultRanks,
      massTolerance
    }
  })

const adductsOf = (
  names: ReadonlyArray<string> | undefined,
  polarity: Adduct.Polarity | "neutral"
): Effect.Effect<ReadonlyArray<Adduct.Adduct>, CommandFailure> => {
  if (names === undefined) {
    return Effect.succeed(polarity === "neutral" ? [Adduct.neutral] : Adduct.usual[polarity])
  }
  if (polarity === "neutral")
    return usageFailure("--adducts has no effect on masses: omit --polarity neutral")
  return Effect.forEach(names, (name) =>
    Effect.mapError(Effect.fromResult(Adduct.parse(name)), ({ message }) => usageFailure(message))
  )
}

/** Returns the polarity of a feature. One that is unknown is never positive by default: an option says so, or its adduct. */
const polarityOf = (flags: Given, cell = ""): string => {
  const isUnknown = cell.trim() === "" || (Placeholder.is(cell) && !/^[-−–]$/.test(cell.trim()))
  if (flags.polarityColumn === undefined || !isUnknown) return cell
  return flags.polarity !== undefined || flags.adducts !== undefined ? "" : cell.trim() || "unknown"
}

/** Returns the column of the retention time. Fails if the table lacks it. */
const timeColumn = ({ columns, given, isOpen }: IdentifierRows.IdentifierRows, rt: string | undefined) =>
  rt === undefined || columns === undefined || isOpen
    ? Effect.succeed(rt)
    : Effect.map(
        KeyColumns.needed({ columns, given: given ?? columns }, [rt], "--rt takes one of"),
        ([column]) => column
      )

/** Warns about a column that looks like adducts or polarities, and is not read. A list of m/z has no such column. */
const warnAboutColumns = (
  { columns = [] }: IdentifierRows.IdentifierRows,
  { adduct, mz, polarityColumn }: Given
): void => {
  if (mz === undefined) return
  const unread = [
    ["--adduct", adduct, /adduct|(?:precursor|ion|best|reference)[\s_.-]*(?:type|ion|species)$|^ions?$/i],
    ["--polarity-column", polarityColumn, /polarity|ion[\s_.-]*mode|ioni[sz]ation|^(?:charge|z)$/i]
  ] as const
  for (const [option, given, name] of unread) {
    const column = given === undefined ? columns.find((one) => name.test(one)) : undefined
    if (column === undefined) continue
    const quoted = Quote.value(column)
    Messages.say(`chemstream: warning: the column ${quoted} is not read; use it with ${option} ${quoted}\n`)
  }
}

/** Returns the feature of a list entry, with its retention time in the unit of the program. */
const featureOf = (
  { carried, mz }: Suspects.FeatureResult,
  rt: string | undefined,
  inUnit: (rt: string) => string | null = () => null
): SuspectLists.Feature => {
  const value = rt !== undefined && RawRecord.isRawRecord(carried) ? RawRecord.value(carried, rt) : undefined
  return { mz: mz ?? 0, rt: value === undefined || value === null ? null : inUnit(String(value)) }
}
