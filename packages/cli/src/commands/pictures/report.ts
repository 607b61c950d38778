/**
 * `chemstream report`: writes a list of chemicals as one HTML file that needs no network: a table, and chapters on the first ones.
 */

import type { Report } from "@chemstream/figures"
import { AssayNames, Bioactivity, Details, Synonyms } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/fetchChemicals.ts"
import * as pictureFile from "../../figures/pictureFile.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import { optionalWhole, parsedText } from "../../flags/flagTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as openInput from "../../input/openInput.ts"
import * as OutputFiles from "../../output/outputFiles.ts"

export const report = Command.make(
  "report",
  {
    values: runFlags.substances,
    input: runFlags.input,
    key: runFlags.key("the endpoint's own"),
    ...LayoutFlags.flags,
    output: pictureFile.outputFlag(["html"]),
    title: Flag.String("title").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("Title of the report [default: Chemicals]"),
      Flag.withDefault("Chemicals")
    ),
    chapters: parsedText<number | "all">(
      "chapters",
      "N|all",
      "Substances with a chapter after the table, the first ones: card, structure, plots, active records [default: 0]",
      (text) => (text === "all" ? text : /^\d{1,9}$/.test(text) ? Number(text) : undefined),
      "a whole number of 0 or more, or all"
    ).pipe(Flag.withDefault<number | "all">(0)),
    keep: runFlags.keep(
      "Fields of the input to write as columns of the table; quote a name that has a comma"
    ),
    curves: optionalWhole("curves", 0, "Most concentration-response curves of a chapter [default: 2]"),
    concurrency: runFlags.concurrency,
    strictIds: runFlags.strictIds,
    checks: FailOn.flags,
    wait: runFlags.wait,
    quiet: runFlags.files.quiet,
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  Effect.fn(function* (given) {
    yield* pictureFile.formatOf(given.output, ["html"], "html")
    yield* pictureFile.checkFiles(given)
    const { chapters } = given
    if (given.curves !== undefined && chapters === 0)
      return yield* usageFailure("--curves is for the chapters of --chapters N|all")
    const keep = given.keep ?? []
    const source = yield* openInput.ofFlags(given, ["dtxsid"], keep)
    const projection = yield* clientFlags.wholeRecord(given.client)
    const chemicals = Chemicals.open(
      source,
      {
        details: Details.byDtxsid({ projection }),
        // Only chapters have synonyms.
        ...(chapters === 0 ? {} : { synonyms: Synonyms.byDtxsid() }),
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
    const { Potency, Report } = yield* pictureFile.load
    let chemicalCount = 0
    // The endpoints (aeid) to name: all active ones of a chapter, and the most potent one of a row of the table. Counts the chemicals.
    const namedEndpoints = (entry: Report.Entry): ReadonlyArray<number> => {
      if (entry._tag !== "Chapter") return []
      const isChapter = chapters === "all" || chemicalCount < chapters
      chemicalCount++
      const active = Potency.endpoints(entry.chemical.data ?? []).filter(({ ac50 }) => ac50 !== undefined)
      return active.slice(0, isChapter ? active.length : 1).map(({ aeid }) => aeid)
    }
    const entries = chemicals.entries.pipe(
      AssayNames.label(namedEndpoints),
      Stream.map(
        ([entry, names]): Report.Entry =>
          entry._tag === "Chapter"
            ? { ...entry, chemical: { ...entry.chemical, assayNames: AssayNames.plain(names) } }
            : entry
      )
    )
    const options = {
      title: given.title,
      curves: given.curves ?? 2,
      chapters,
      keep: keep.map(({ name }) => name)
    }
    const bytes = Report.encode(entries, options).pipe(
      Stream.mapError((error) => (error._tag === "CommandFailure" ? error : runFailure(error.message))),
      // The file gets its name only if the stream succeeds.
      Stream.onEnd(
        Effect.suspend(() => (chemicalCount === 0 ? runFailure("nothing to report") : Effect.void))
      )
    )
    yield* OutputFiles.write(given.output, bytes).pipe(
      Effect.andThen(chemicals.settle),
      clientFlags.provide(given.client)
    )
  }, Effect.scoped)
).pipe(
  withHelp("A list of substances as one HTML file: a table, and chapters with plots", {
    "chemstream report --input ids.csv --keep Site --title 'Site 7' --output report.html":
      "A table with a column of the input; rows without a substance stand at its end",
    "chemstream report DTXSID7020182 DTXSID3039242 --chapters all --output report.html":
      "With two chapters, to read and to print"
  })
)
