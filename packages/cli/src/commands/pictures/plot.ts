/**
 * `chemstream plot bioactivity`, `curve`, `ranking` and `heat-map`: fetch bioactivity data, and write its pictures to a file.
 *
 * `Plot` of the figures package draws them, readable in black and white and with any colour vision.
 */

import type { BioactivityData } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import type { Chemical, Plot, Potency } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { AssayNames, Bioactivity, Details, Ledger, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import {
  type CommandFailure,
  callFailure,
  incompleteRun,
  runFailure,
  usageFailure
} from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/fetchChemicals.ts"
import * as pictureFile from "../../figures/pictureFile.ts"
import * as pictureFlags from "../../figures/pictureFlags.ts"
import * as ProblemPrinter from "../../figures/problemPrinter.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import { values } from "../../flags/flagTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as openInput from "../../input/openInput.ts"
import { missingMeaning } from "../../output/missingMeaning.ts"
import * as OutputFiles from "../../output/outputFiles.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import * as RunPlan from "../../run/runPlan.ts"
import * as Messages from "../../terminal/messages.ts"

const formats = ["svg", "png", "pdf", "html"] as const

/** The most pictures on one page. */
const mostPictures = 500

const flags = {
  input: runFlags.input,
  key: runFlags.key("the endpoint's own"),
  ...LayoutFlags.flags,
  output: pictureFile.outputFlag(formats),
  ...pictureFlags.flags,
  checks: FailOn.flags,
  wait: runFlags.wait,
  client: clientFlags.flags,
  dryRun: clientFlags.dryRun
}

const absent = (id: string): string => missingMeaning("bioactivity", id)

const substanceFlags = { values: runFlags.substances, ...flags }

type Given = Command.Command.Config.Infer<typeof substanceFlags>

/** A chemical with bioactivity data. */
interface Tested extends Chemical.Chemical {
  readonly data: NonNullable<Chemical.Chemical["data"]>
}

/** Fetches substances with their bioactivity data, and writes the pictures (SVG) that `draw` makes of those with data. */
const plotSubstances = Effect.fn(function* (
  given: Given,
  pageTitle: string,
  draw: (
    tested: Stream.Stream<Tested, CommandFailure, ChemClient.ChemClient>,
    options: ReturnType<typeof drawingOptions>
  ) => Stream.Stream<string, CommandFailure, ChemClient.ChemClient>
) {
  const format = yield* formatOf(given)
  const source = yield* openInput.ofFlags(given, ["dtxsid"])
  const chemicals = Chemicals.open(
    source,
    {
      details: Details.byDtxsid({ projection: "chemicalidentifier" }),
      summary: Bioactivity.summaryByDtxsid(),
      // Without the measured points: they would need a request for each substance, and only `curve` draws them.
      data: Bioactivity.byDtxsid()
    },
    {
      concurrency: 4,
      strictIds: false,
      failOn: FailOn.of(given.checks),
      absent,
      output: given.output,
      progress: "none",
      wait: runFlags.waitOf(given.wait, given.values)
    }
  )
  if (given.dryRun) return yield* clientFlags.provide(given.client, given)(chemicals.plan)
  const tested = chemicals.entries.pipe(
    Stream.filter((entry) => entry._tag === "Chapter"),
    Stream.map(({ chemical }) => chemical),
    Stream.filter((chemical): chemical is Tested => {
      const isMeasured = chemical.data !== undefined
      if (!isMeasured) Messages.say(`chemstream: missing: ${chemical.id}: ${absent(chemical.id)}\n`)
      return isMeasured
    })
  )
  yield* writeAll(draw(tested, drawingOptions(given, format)), pageTitle, format, given).pipe(
    Effect.andThen(chemicals.settle),
    clientFlags.provide(given.client)
  )
}, Effect.scoped)

/** On an HTML page, `--title` is that of the page, and each plot has its own. */
const drawingOptions = (given: pictureFlags.Given, format: Format) => {
  const { title, ...size } = pictureFlags.optionsOf(given)
  return format === "html" ? { ...size, title: undefined } : { ...size, title }
}

const bioactivity = Command.make("bioactivity", substanceFlags, (given) =>
  plotSubstances(given, "Hit calls against AC50", (tested, options) =>
    Stream.unwrap(
      Effect.map(pictureFile.load, ({ Chemical, Plot, Potency }) => {
        const potent = ({ data }: Tested) => activeAeids(Potency.endpoints(data).slice(0, mostLabels))
        return tested.pipe(
          AssayNames.label(potent),
          Stream.mapEffect(([chemical, names]) =>
            Plot.hitCalls(chemical.data, {
              ...options,
              title: options.title ?? Chemical.nameOf(chemical),
              assayNames: AssayNames.plain(names),
              cytotoxLowerUm: chemical.summary?.cytotoxLowerUm
            })
          )
        )
      })
    )
  )
).pipe(
  withHelp("Hit calls of a substance against AC50", {
    "chemstream plot bioactivity DTXSID7020182 --width 85 --output plot.pdf":
      "As wide as a column of a journal; .pdf needs the packages pdfkit and @resvg/resvg-js",
    "chemstream plot bioactivity DTXSID7020182 --dpi 600 --output plot.png":
      "For print; .png needs the package @resvg/resvg-js",
    "chemstream plot bioactivity --input ids.txt --output plots.html":
      "A picture for each substance, in one page"
  })
)

/** The largest number of endpoints whose names a plot of hit calls needs. */
const mostLabels = 8

/** The numbers of the active endpoints: those with an AC50. */
const activeAeids = (endpoints: ReadonlyArray<Potency.Endpoint>): ReadonlyArray<number> =>
  endpoints.flatMap(({ ac50, aeid }) => (ac50 === undefined ? [] : [aeid]))

/** Makes a command that draws one plot of all substances. */
const listCommand = (
  name: string,
  pageTitle: string,
  description: string,
  /** The largest number of endpoints of a substance whose names the plot needs. */
  mostNames: number,
  draw: (plot: typeof Plot) => typeof Plot.ranking
) =>
  Command.make(name, substanceFlags, (given) =>
    plotSubstances(given, pageTitle, (tested, options) =>
      Stream.fromEffect(
        Effect.gen(function* () {
          const { Chemical, Plot, Potency } = yield* pictureFile.load
          // Only the endpoints stay in memory, not the records.
          const chemicals = yield* Stream.runCollect(
            Stream.map(tested, (chemical) => ({
              name: Chemical.nameOf(chemical),
              endpoints: Potency.endpoints(chemical.data)
            }))
          )
          if (chemicals.length === 0) return []
          const needed = chemicals.flatMap(({ endpoints }) => activeAeids(endpoints.slice(0, mostNames)))
          const assayNames = AssayNames.plain(yield* AssayNames.of(needed))
          return [yield* draw(Plot)(chemicals, { ...options, assayNames })]
        })
      ).pipe(Stream.flatMap(Stream.fromIterable))
    )
  ).pipe(
    withHelp(description, {
      [`chemstream plot ${name} --input ids.txt --output ${name}.pdf`]:
        "A list from a file; also .svg, .png and .html"
    })
  )

const ranking = listCommand(
  "ranking",
  "Chemicals by potency",
  "The AC50 of the active endpoints of each substance of a list, the most potent first",
  1,
  (plot) => plot.ranking
)

const heatMap = listCommand(
  "heat-map",
  "Chemicals and assay endpoints",
  "The AC50 of the substances of a list in the endpoints with the most activity, as colours",
  Number.POSITIVE_INFINITY,
  (plot) => plot.heatMap
)

const curve = Command.make(
  "curve",
  {
    values: values("M4ID", "Numbers of data records [default: those of --input, else of standard input]"),
    ...flags
  },
  Effect.fn(function* (given) {
    const format = yield* formatOf(given)
    const source = yield* openInput.ofFlags(given, ["m4id"])
    const lookup = Bioactivity.byM4id()
    if (given.dryRun) {
      return yield* clientFlags.provide(
        given.client,
        given
      )(RunPlan.print(source.identifiers, lookup, { output: given.output }, RunPlan.withNames))
    }
    const { Plot } = yield* pictureFile.load
    const problems = ProblemPrinter.make(source)
    const ledger = Ledger.make()
    const drawings = Lookup.outcomes(source.identifiers, lookup, {
      ledger,
      window: source.window,
      availability: { wait: runFlags.waitOf(given.wait, given.values) }
    }).pipe(
      Stream.catchTag("InvalidOption", Stream.die),
      Stream.mapError((error) => (error._tag === "CommandFailure" ? error : callFailure(error))),
      Stream.filter(problems.isEntry),
      Stream.filter((outcome) => {
        problems.print(Chemicals.entryOf(outcome, (id) => missingMeaning("bioactivity.byM4id", id)))
        return outcome._tag === "Found"
      }),
      Stream.map((outcome) => dataRecord(outcome._tag === "Found" ? outcome.records[0] : undefined)),
      AssayNames.label(({ aeid }) => [Number(aeid)]),
      Stream.mapEffect(([record, names]) =>
        Plot.curve(record, {
          ...drawingOptions(given, format),
          assayNames: AssayNames.plain(names),
          responseUnit: names.get(Number(record.aeid))?.unit
        })
      ),
      problems.reportAtEnd
    )
    yield* RunPlan.show(source, lookup, { progress: "none", quiet: false }, ledger).pipe(
      Effect.andThen(writeAll(drawings, "Concentration and response", format, given)),
      Effect.scoped,
      clientFlags.provide(given.client)
    )
    if (FailOn.isFailure(ledger, FailOn.of(given.checks))) return yield* incompleteRun
  }, Effect.scoped)
).pipe(
  withHelp("The points of a data record with the curve fitted to them", {
    "chemstream plot curve 1842410 --output curve.html":
      "One curve; chemstream bioactivity data shows the m4id of each record"
  })
)

export const plot = commandGroup.make(
  "plot",
  "Pictures of bioactivity data",
  {
    "chemstream plot bioactivity DTXSID7020182 --output plot.svg":
      "The hit calls of a substance against its AC50"
  },
  [bioactivity, curve, ranking, heatMap]
)

/** Parses a data record. None: a record without fields, of which the plot says that it has no data. */
const dataRecord = (record: RawRecord.RawRecord | undefined): BioactivityData.BioactivityData =>
  record === undefined ? {} : JSON.parse(RawRecord.toText(record))

type Format = (typeof formats)[number]

/** Checks the output and its options, and returns its format. */
const formatOf = (given: Pick<Given, "input" | "values" | "output" | "client" | "dpi">) =>
  pictureFile.formatOf(given.output, formats, "svg").pipe(
    Effect.tap((format) => pictureFile.checkDpi(given.dpi, format)),
    Effect.tap(() => pictureFile.checkFiles(given))
  )

/** Writes one picture, or a page of all pictures. */
const writeAll = <R>(
  drawings: Stream.Stream<string, CommandFailure, R>,
  pageTitle: string,
  format: Format,
  { dpi, output, title = pageTitle }: Pick<Given, "dpi" | "output" | "title">
): Effect.Effect<boolean, CommandFailure, R> =>
  Effect.gen(function* () {
    const svgs = yield* Stream.runCollect(Stream.take(drawings, mostPictures + 1))
    // The reason is printed already.
    if (svgs.length === 0) return yield* runFailure("nothing to draw")
    if (svgs.length > mostPictures) {
      return yield* usageFailure(
        `a file has at most ${mostPictures} pictures: split the input, and draw several files`
      )
    }
    if (format === "html") {
      const { Plot } = yield* pictureFile.load
      return yield* OutputFiles.write(output, pictureFile.ofText(Plot.toHtml(title, svgs)))
    }
    if (format !== "pdf" && svgs.length > 1) {
      return yield* usageFailure(
        `a .${format} file has one picture, and the input has several: use --output FILE.pdf or FILE.html`
      )
    }
    return yield* OutputFiles.write(output, pictureFile.ofSvgs(svgs, format, { title, dpi }))
  })
