/**
 * `chemstream show`: prints chemicals as cards with their structures, and draws structures as files and as sheets.
 */

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Chemical, Png, Report } from "@chemstream/figures"
import { Bioactivity, Details, Synonyms } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { Command } from "effect/cli"
import {
  type CommandFailure,
  incompleteRun,
  reasonOf,
  runFailure,
  usageFailure
} from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/fetchChemicals.ts"
import * as pictureFile from "../../figures/pictureFile.ts"
import * as pictureFlags from "../../figures/pictureFlags.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import {
  defaultWhole,
  optionalChoice,
  optionalText,
  optionalWhole,
  switchFlag
} from "../../flags/flagTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as NameList from "../../flags/nameList.ts"
import * as runFlags from "../../flags/runFlags.ts"
import { unknownField } from "../../help/nameSuggestions.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as openInput from "../../input/openInput.ts"
import * as OutputFiles from "../../output/outputFiles.ts"
import * as Messages from "../../terminal/messages.ts"

const formats = ["txt", "svg", "png", "pdf", "html"] as const

/** The formats of sheets, and of the files of a folder. */
const sheetFormats = ["svg", "png", "pdf", "html"] as const
const fileFormats = ["svg", "png", "pdf"] as const

/** The most structures on sheets. */
const mostCells = 2000

const flags = {
  values: runFlags.substances,
  input: runFlags.input,
  key: runFlags.key("the endpoint's own"),
  ...LayoutFlags.flags,
  output: optionalText(
    "output",
    "FILE|FOLDER/",
    "File to write: .txt, .html; .svg, .png or .pdf for one structure; a folder, with a / at its end, for a file of each structure [default: standard output]",
    "o"
  ),
  format: optionalChoice("format", fileFormats, "Format of the files of a folder [default: svg]"),
  grid: optionalText("grid", "FILE", "Sheet of all structures with captions: .svg, .png, .pdf or .html"),
  columns: optionalWhole("columns", 1, "Structures beside each other on a sheet [default: 4]"),
  caption: NameList.list(
    "caption",
    "A,B",
    "Fields of the record or of --keep below each structure of a sheet [default: preferredName and the fields of --keep]"
  ),
  keep: runFlags.keep("Fields of the input for captions; quote a name that has a comma"),
  dpi: pictureFlags.dpi,
  transparent: switchFlag("transparent", "Pictures without a white background"),
  synonyms: defaultWhole("synonyms", 0, "Most synonyms shown", 10),
  strictIds: runFlags.strictIds,
  checks: FailOn.flags,
  wait: runFlags.wait,
  client: clientFlags.flags,
  dryRun: clientFlags.dryRun
}

type Given = Command.Command.Config.Infer<typeof flags>

export const show = Command.make(
  "show",
  flags,
  Effect.fn(function* (given) {
    const target = yield* targetOf(given)
    const option = target._tag === "Sheet" ? "--grid" : "--output"
    yield* pictureFile.checkFiles({ ...given, output: target.file }, option)
    const source = yield* openInput.ofFlags(given, ["dtxsid"], given.keep)
    const total = target._tag === "Structure" && source.total !== undefined ? yield* source.total : 1
    if (total > 1) return yield* severalStructures(target.format, total)
    const wait = runFlags.waitOf(given.wait, given.values)
    const failOn = FailOn.of(given.checks)
    const projection = yield* clientFlags.wholeRecord(given.client)
    const chemicals = Chemicals.open(
      source,
      target._tag === "Cards"
        ? {
            details: Details.byDtxsid({ projection }),
            synonyms: Synonyms.byDtxsid(),
            summary: Bioactivity.summaryByDtxsid()
          }
        : {
            details: Details.byDtxsid({
              projection: given.caption === undefined ? "chemicalstructure" : projection
            })
          },
      { ...given, output: target.file, failOn, concurrency: 4, progress: "none", wait }
    )
    if (given.dryRun) return yield* clientFlags.provide(given.client, given)(chemicals.plan)
    const { entries, settle } = chemicals
    yield* clientFlags.provide(given.client)(Effect.andThen(write(target, entries, given), settle))
  }, Effect.scoped)
).pipe(
  withHelp("Substances as readable cards, with their structures drawn", {
    "chemstream show DTXSID7020182": "A card in the terminal",
    "chemstream show DTXSID7020182 --output bisphenol-a.svg": "Its structure alone, as a picture",
    "chemstream show --input hits.csv --keep ppm,rank --grid hits.pdf":
      "A sheet of structures, with two columns of the input in each caption",
    "chemstream show --input ids.txt --output structures/ --format png --transparent":
      "A file of each structure, e.g. structures/DTXSID7020182.png"
  })
)

/** The output: cards, the structure of the only substance, a folder with a file of each, or a sheet of all. */
type Target =
  | { readonly _tag: "Cards"; readonly format: "txt" | "html"; readonly file: string | undefined }
  | {
      readonly _tag: "Structure"
      readonly format: pictureFile.PictureFormat
      readonly file: string | undefined
    }
  | {
      readonly _tag: "Folder"
      readonly format: pictureFile.PictureFormat
      readonly folder: string
      readonly file: undefined
    }
  | {
      readonly _tag: "Sheet"
      readonly format: (typeof sheetFormats)[number]
      readonly file: string | undefined
    }

/** Returns the target of the options. Fails if an option has no effect on it. */
const targetOf = (given: Given): Effect.Effect<Target, CommandFailure> =>
  Effect.gen(function* () {
    const target = yield* chooseTarget(given)
    if (given.format !== undefined && target._tag !== "Folder")
      return yield* usageFailure("--format is for the files of a folder: --output FOLDER/")
    if ((given.caption !== undefined || given.keep !== undefined) && target._tag !== "Sheet")
      return yield* usageFailure("--caption and --keep are for the captions of --grid FILE")
    if (given.columns !== undefined && target._tag !== "Sheet")
      return yield* usageFailure("--columns is for the structures of --grid FILE")
    if (given.transparent && target._tag === "Cards")
      return yield* usageFailure(
        "--transparent is for pictures: --grid FILE, or --output with .svg, .png or .pdf"
      )
    yield* pictureFile.checkDpi(given.dpi, target.format)
    return target
  })

/** Chooses the target by `--grid`, the slash at the end of `--output`, and its extension. */
const chooseTarget = ({ format, grid, output }: Given): Effect.Effect<Target, CommandFailure> =>
  Effect.gen(function* () {
    if (grid !== undefined) {
      if (output !== undefined) return yield* usageFailure("give --grid FILE or --output, not both")
      return { _tag: "Sheet", format: yield* pictureFile.formatOf(grid, sheetFormats, "svg"), file: grid }
    }
    if (output !== undefined && /[/\\]$/.test(output)) {
      const ofFiles = format ?? ("svg" as const)
      yield* pictureFile.checkPackages(ofFiles)
      return { _tag: "Folder", format: ofFiles, folder: output, file: undefined }
    }
    const found = yield* pictureFile.formatOf(output, formats, "txt")
    return found === "txt" || found === "html"
      ? { _tag: "Cards", format: found, file: output }
      : { _tag: "Structure", format: found, file: output }
  })

const severalStructures = (format: string, total?: number): CommandFailure =>
  usageFailure(
    `a .${format} file has one structure, and the input has ${total ?? "several"} substances: use --grid FILE for a sheet, --output FOLDER/ for a file of each, or .html`
  )

const write = (target: Target, entries: Entries, options: Given) => {
  switch (target._tag) {
    case "Cards":
      return target.format === "html"
        ? writePage(entries, target.file, options.synonyms)
        : writeCards(entries, target.file, options.synonyms)
    case "Structure":
      return writeStructure(entries, target.file, target.format, options)
    case "Folder":
      return writeFolder(entries, target.folder, target.format, options)
    case "Sheet":
      return writeSheet(entries, target.file, target.format, options)
  }
}

type Entries = Chemicals.Chemicals["entries"]

const writePage = (entries: Entries, output: string | undefined, synonyms: number) =>
  Effect.flatMap(pictureFile.load, ({ Report }) =>
    OutputFiles.write(
      output,
      Report.encode(entries, { title: "Chemicals", synonyms }).pipe(
        Stream.mapError((error) => (error._tag === "CommandFailure" ? error : runFailure(error.message)))
      )
    )
  )

/** Writes a card for each chemical. */
const writeCards = (entries: Entries, output: string | undefined, synonyms: number) =>
  Effect.flatMap(pictureFile.load, ({ Card }) => {
    const isTerminal = output === undefined && process.stdout.isTTY
    const columns = isTerminal ? process.stdout.columns : undefined
    const styled = isTerminal && !process.env["NO_COLOR"]
    const bytes = separated(
      entries.pipe(
        Stream.filter((entry) => entry._tag === "Chapter"),
        Stream.mapEffect(({ chemical }) => Card.toText(chemical, { columns, styled, synonyms }))
      )
    )
    return OutputFiles.write(output, bytes, { styled })
  })

/** Encodes cards, with a blank line between them. */
const separated = <E, R>(cards: Stream.Stream<string, E, R>): Stream.Stream<Uint8Array, E, R> =>
  cards.pipe(
    Stream.zipWithIndex,
    Stream.map(([card, index]) => (index === 0 ? card : `\n${card}`)),
    Stream.encodeText
  )

/** Draws the structure of a chemical, cropped to its atoms. Returns the bytes of the file. */
const drawing = (chemical: Chemical.Chemical, format: pictureFile.PictureFormat, options: Png.Options) =>
  Effect.flatMap(pictureFile.load, ({ Chemical, Structure }) => {
    const title = Chemical.nameOf(chemical)
    return Effect.map(
      Structure.toSvg(Chemical.smilesOf(chemical) ?? "", { title, palette: "elements", crop: true }),
      (svg) => pictureFile.ofSvgs([svg], format, { ...options, title })
    )
  })

/** Writes the structure of the only chemical. */
const writeStructure = (
  entries: Entries,
  output: string | undefined,
  format: pictureFile.PictureFormat,
  options: Png.Options
) =>
  Effect.gen(function* () {
    const [entry, other] = yield* Stream.runCollect(Stream.take(entries, 2))
    if (other !== undefined) return yield* severalStructures(format)
    // The reason is printed already.
    if (entry?._tag !== "Chapter") return yield* incompleteRun
    const { chemical } = entry
    const bytes = yield* drawing(chemical, format, options).pipe(
      Effect.mapError((error) => runFailure(`${chemical.id} cannot be drawn: ${error.message}`))
    )
    yield* OutputFiles.write(output, bytes)
  })

/** Writes a file for each structure, named after its substance. */
const writeFolder = (
  entries: Entries,
  folder: string,
  format: pictureFile.PictureFormat,
  options: Png.Options
) =>
  Effect.gen(function* () {
    yield* Effect.try({
      try: () => mkdirSync(folder, { recursive: true }),
      catch: (cause) => runFailure(`cannot make the folder ${folder}: ${reasonOf(cause)}`)
    })
    let count = 0
    yield* Stream.runForEach(entries, (entry) =>
      Effect.gen(function* () {
        if (entry._tag !== "Chapter") return
        const { chemical } = entry
        const bytes = yield* Effect.result(drawing(chemical, format, options))
        if (Result.isFailure(bytes)) {
          Messages.say(`chemstream: not drawn: ${chemical.id}: ${bytes.failure.message}\n`)
          return
        }
        yield* OutputFiles.write(join(folder, `${chemical.id}.${format}`), bytes.success)
        count++
      })
    )
    if (count === 0) return yield* runFailure("nothing to draw")
  })

/** Writes a sheet of all structures: one picture, or pages of a PDF or of HTML. */
const writeSheet = (
  entries: Entries,
  output: string | undefined,
  format: (typeof sheetFormats)[number],
  { caption, columns = 4, dpi, keep = [], transparent }: Given
) =>
  Effect.gen(function* () {
    const { Chemical, Plot, Sheet } = yield* pictureFile.load
    const kept = keep.map(({ name }) => name)
    const fields = caption ?? ["preferredName", ...kept]
    const chapters = yield* entries.pipe(
      Stream.filter((entry) => entry._tag === "Chapter"),
      Stream.take(mostCells + 1),
      Stream.runCollect
    )
    if (chapters.length === 0) return yield* runFailure("nothing to draw")
    if (chapters.length > mostCells)
      return yield* usageFailure(`a sheet has at most ${mostCells} structures: split the input`)
    const known = new Set([
      ...kept,
      ...chapters.flatMap(({ chemical }) => Object.keys(chemical.details ?? {}))
    ])
    for (const field of caption ?? [])
      if (!known.has(field))
        Messages.say(`chemstream: warning: ${unknownField("--caption", [field], known)}\n`)
    const cells = chapters.map(({ chemical, kept: values }) => ({
      structure: Chemical.smilesOf(chemical) ?? "",
      title: Chemical.nameOf(chemical),
      caption: fields.flatMap((field) => captionLine(field, kept, values, chemical))
    }))
    const isPaged = format === "pdf" || format === "html"
    const svgs = yield* Sheet.toSvgs(cells, {
      columns,
      transparent,
      pageHeight: isPaged ? Sheet.pageHeight : undefined
    })
    yield* OutputFiles.write(
      output,
      format === "html"
        ? pictureFile.ofText(Plot.toHtml("Structures", svgs))
        : pictureFile.ofSvgs(svgs, format, { title: "Structures", dpi, transparent })
    )
  })

/** Returns a line of a caption. A field of the input has its name, because its value alone says nothing. */
const captionLine = (
  field: string,
  kept: ReadonlyArray<string>,
  values: Report.Chapter["kept"],
  { details, id }: Chemical.Chemical
): ReadonlyArray<string> => {
  if (kept.includes(field)) {
    const value = values?.[field]
    return value === undefined || value === null || value === "" ? [] : [`${field} ${value}`]
  }
  const value = (details as Readonly<Record<string, unknown>> | undefined)?.[field]
  if (value !== undefined && value !== null) return [String(value)]
  return field === "preferredName" ? [id] : []
}
