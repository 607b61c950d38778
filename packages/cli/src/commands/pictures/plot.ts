/**
 * `chemstream plot`: draws bioactivity data, readable in black and white.
 */
import type { BioactivityData } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Ledger, Lookup } from "@chemstream/stream"
import { Effect, Option, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import {
  type CommandFailure,
  callFailure,
  incompleteRun,
  runFailure,
  usageFailure
} from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/chemicals.ts"
import * as picture from "../../figures/picture.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as input from "../../input/input.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import { missingMeaning } from "../../run/missingMeaning.ts"
import * as RunCost from "../../run/runCost.ts"
import * as Messages from "../../terminal/messages.ts"

const formats = ["svg", "png", "html"] as const

/** The most pictures on one page. */
const mostPictures = 500

const flags = {
  input: runFlags.input,
  key: runFlags.key("the endpoint's own"),
  ...LayoutFlags.flags,
  output: picture.outputFlag(formats),
  checks: FailOn.flags,
  wait: runFlags.wait,
  client: clientFlags.flags,
  dryRun: clientFlags.dryRun
}

const absent = (id: string): string => missingMeaning("bioactivity", id)

interface Picture {
  readonly svg: string
}

const bioactivity = Command.make(
  "bioactivity",
  {
    values: Argument.String("ID").pipe(
      Argument.withDescription(
        "Substance identifiers (DTXSID…) [default: those of --input, else of standard input]"
      ),
      Argument.variadic()
    ),
    ...flags
  },
  Effect.fn(function* (given) {
    const format = yield* picture.formatOf(given.output, formats, "svg")
    yield* picture.checkFiles(given)
    const source = yield* input.ofFlags(given, ["dtxsid"])
    const chemicals = Chemicals.open(
      source,
      {
        summary: Bioactivity.summaryByDtxsid(),
        // The points of plots would need a request for each substance.
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
    const { Plot } = yield* picture.load
    const drawings = chemicals.entries.pipe(
      Stream.filter((entry) => entry._tag === "Chapter"),
      Stream.filter(({ chemical }) => {
        const isMeasured = chemical.data !== undefined
        if (!isMeasured) Messages.say(`chemstream: missing: ${chemical.id}: ${absent(chemical.id)}\n`)
        return isMeasured
      }),
      Stream.mapEffect(({ chemical }) =>
        Effect.map(
          Plot.hitCalls(chemical.data ?? [], {
            title: chemical.id,
            cytotoxLowerUm: chemical.summary?.cytotoxLowerUm
          }),
          (svg): Picture => ({ svg })
        )
      )
    )
    yield* writeAll(drawings, "Hit calls against AC50", format, given.output).pipe(
      Effect.andThen(chemicals.settle),
      clientFlags.provide(given.client)
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription("Hit calls of a substance against AC50"),
  Command.withExamples([
    {
      command: "chemstream plot bioactivity DTXSID7020182 --output plot.svg",
      description: "One picture; .png needs the package @resvg/resvg-js"
    },
    {
      command: "chemstream plot bioactivity --input ids.txt --output plots.html",
      description: "A picture for each substance, in one page"
    }
  ])
)

const curve = Command.make(
  "curve",
  {
    values: Argument.String("M4ID").pipe(
      Argument.withDescription("Numbers of data records [default: those of --input, else of standard input]"),
      Argument.variadic()
    ),
    ...flags
  },
  Effect.fn(function* (given) {
    const format = yield* picture.formatOf(given.output, formats, "svg")
    yield* picture.checkFiles(given)
    const source = yield* input.ofFlags(given, ["m4id"])
    const lookup = Bioactivity.byM4id()
    if (given.dryRun) {
      const files = { output: Option.getOrUndefined(given.output) }
      return yield* clientFlags.provide(given.client, given)(RunCost.print(source.identifiers, lookup, files))
    }
    const { Plot } = yield* picture.load
    const problems = Chemicals.problemPrinter()
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
      Stream.mapEffect((outcome) =>
        Effect.map(
          Plot.curve(dataRecord(outcome._tag === "Found" ? outcome.records[0] : undefined)),
          (svg): Picture => ({ svg })
        )
      ),
      problems.reportAtEnd
    )
    yield* RunCost.show(source, lookup, { progress: "none", quiet: false }, ledger).pipe(
      Effect.andThen(writeAll(drawings, "Concentration and response", format, given.output)),
      Effect.scoped,
      clientFlags.provide(given.client)
    )
    if (FailOn.isFailure(ledger, FailOn.of(given.checks))) return yield* incompleteRun
  }, Effect.scoped)
).pipe(
  Command.withDescription("The points of a data record with the curve fitted to them"),
  Command.withExamples([
    {
      command: "chemstream plot curve 1842410 --output curve.html",
      description: "One curve; chemstream bioactivity data shows the m4id of each record"
    }
  ])
)

export const plot = commandGroup.make(
  "plot",
  "Pictures of bioactivity data",
  [
    {
      command: "chemstream plot bioactivity DTXSID7020182 --output plot.svg",
      description: "The hit calls of a substance against its AC50"
    }
  ],
  [bioactivity, curve]
)

const dataRecord = (record: RawRecord.RawRecord | undefined): BioactivityData.BioactivityData =>
  record === undefined ? {} : JSON.parse(RawRecord.toText(record))

/** Writes one picture, or a page of all pictures. */
const writeAll = <R>(
  drawings: Stream.Stream<Picture, CommandFailure, R>,
  title: string,
  format: (typeof formats)[number],
  file: Option.Option<string>
): Effect.Effect<void, CommandFailure, R> =>
  Effect.gen(function* () {
    const pictures = yield* Stream.runCollect(Stream.take(drawings, mostPictures + 1))
    const [first, second] = pictures
    // The reason is printed already.
    if (first === undefined) return yield* runFailure("nothing to draw")
    if (pictures.length > mostPictures) {
      return yield* usageFailure(
        `a page has at most ${mostPictures} pictures: split the input, and draw several pages`
      )
    }
    if (format !== "html") {
      if (second !== undefined) {
        return yield* usageFailure(
          `a .${format} file has one picture, and the input has several: use --output FILE.html`
        )
      }
      return yield* picture.write(file, picture.ofSvg(first.svg, format))
    }
    const { Plot } = yield* picture.load
    yield* picture.write(
      file,
      picture.ofText(
        Plot.toHtml(
          title,
          pictures.map(({ svg }) => svg)
        )
      )
    )
  })
