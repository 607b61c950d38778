/**
 * `chemstream report`: writes a list of chemicals as one HTML file that needs no network.
 */
import { Bioactivity, Details, Synonyms } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { runFailure } from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/chemicals.ts"
import * as picture from "../../figures/picture.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import { whole } from "../../flags/numberFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as input from "../../input/input.ts"

export const report = Command.make(
  "report",
  {
    values: Argument.String("ID").pipe(
      Argument.withDescription(
        "Substance identifiers (DTXSID…) [default: those of --input, else of standard input]"
      ),
      Argument.variadic()
    ),
    input: runFlags.input,
    key: runFlags.key("the endpoint's own"),
    ...LayoutFlags.flags,
    output: picture.outputFlag(["html"]),
    title: Flag.String("title").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("Title of the report [default: Chemicals]"),
      Flag.withDefault("Chemicals")
    ),
    curves: whole("curves", 0).pipe(
      Flag.withDescription("Most concentration-response curves of a chemical [default: 2]"),
      Flag.withDefault(2)
    ),
    concurrency: runFlags.concurrency,
    strictIds: runFlags.strictIds,
    checks: FailOn.flags,
    wait: runFlags.wait,
    quiet: runFlags.files.quiet,
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  Effect.fn(function* (given) {
    yield* picture.formatOf(given.output, ["html"], "html")
    yield* picture.checkFiles(given)
    const source = yield* input.ofFlags(given, ["dtxsid"])
    const projection = yield* clientFlags.wholeRecord(given.client)
    const chemicals = Chemicals.open(
      source,
      {
        details: Details.byDtxsid({ projection }),
        synonyms: Synonyms.byDtxsid(),
        summary: Bioactivity.summaryByDtxsid(),
        data: Bioactivity.byDtxsid()
      },
      {
        ...given,
        failOn: FailOn.of(given.checks),
        wait: runFlags.waitOf(given.wait, given.values),
        progress: process.stderr.isTTY && !given.quiet ? "bar" : "none"
      }
    )
    if (given.dryRun) return yield* clientFlags.provide(given.client, given)(chemicals.plan)
    const { Report } = yield* picture.load
    let chapters = 0
    const entries = Stream.tap(Stream.mapEffect(chemicals.entries, Chemicals.withNames), ({ _tag }) =>
      Effect.sync(() => {
        if (_tag === "Chapter") chapters++
      })
    )
    const bytes = Report.encode(entries, { title: given.title, curves: given.curves }).pipe(
      Stream.mapError((error) => (error._tag === "CommandFailure" ? error : runFailure(error.message))),
      // The file gets its name only if the stream succeeds.
      Stream.concat(
        Stream.unwrap(
          Effect.sync(() => (chapters === 0 ? Stream.fail(runFailure("nothing to report")) : Stream.empty))
        )
      )
    )
    yield* picture
      .write(given.output, bytes)
      .pipe(Effect.andThen(chemicals.settle), clientFlags.provide(given.client))
  }, Effect.scoped)
).pipe(
  Command.withDescription("A list of substances as one HTML file: cards, structures, plots, tables"),
  Command.withExamples([
    {
      command: "chemstream report DTXSID7020182 DTXSID3039242 --output report.html",
      description: "Two chapters, to read and to print"
    },
    {
      command: "chemstream report --input ids.txt --title 'Site 7' --output report.html",
      description: "A list from a file; the report names missing identifiers"
    }
  ])
)
