/**
 * `chemstream show`: prints chemicals as cards with their structures.
 */
import { Bioactivity, Details, Synonyms } from "@chemstream/stream"
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { incompleteRun, runFailure, usageFailure } from "../../CommandFailure.ts"
import * as Chemicals from "../../figures/chemicals.ts"
import * as picture from "../../figures/picture.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as FailOn from "../../flags/failOn.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import { whole } from "../../flags/numberFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as input from "../../input/input.ts"

const formats = ["txt", "svg", "png", "html"] as const

export const show = Command.make(
  "show",
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
    output: picture.outputFlag(formats),
    synonyms: whole("synonyms", 0).pipe(
      Flag.withDescription("Most synonyms shown [default: 10]"),
      Flag.withDefault(10)
    ),
    strictIds: runFlags.strictIds,
    checks: FailOn.flags,
    wait: runFlags.wait,
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  Effect.fn(function* (given) {
    const format = yield* picture.formatOf(given.output, formats, "txt")
    yield* picture.checkFiles(given)
    const source = yield* input.ofFlags(given, ["dtxsid"])
    const isPicture = format === "svg" || format === "png"
    const total = isPicture && source.total !== undefined ? yield* source.total : 1
    if (total > 1) {
      return yield* usageFailure(
        `a .${format} file has one structure, and the input has ${total} substances: use .html`
      )
    }
    const wait = runFlags.waitOf(given.wait, given.values)
    const failOn = FailOn.of(given.checks)
    const options = { ...given, failOn, concurrency: 4, progress: "none" as const, wait }
    const projection = yield* clientFlags.wholeRecord(given.client)
    const chemicals = Chemicals.open(
      source,
      isPicture
        ? { details: Details.byDtxsid({ projection: "chemicalstructure" }) }
        : {
            details: Details.byDtxsid({ projection }),
            synonyms: Synonyms.byDtxsid(),
            summary: Bioactivity.summaryByDtxsid()
          },
      options
    )
    if (given.dryRun) return yield* clientFlags.provide(given.client, given)(chemicals.plan)
    const { entries, settle } = chemicals
    const { output, synonyms } = given
    const work =
      format === "html"
        ? writePage(entries, output, synonyms)
        : format === "txt"
          ? writeCards(entries, output, synonyms)
          : writeStructure(entries, output, format)
    yield* clientFlags.provide(given.client)(Effect.andThen(work, settle))
  }, Effect.scoped)
).pipe(
  Command.withDescription("Substances as readable cards, with their structures drawn"),
  Command.withExamples([
    { command: "chemstream show DTXSID7020182", description: "A card in the terminal" },
    {
      command: "chemstream show DTXSID7020182 --output bisphenol-a.svg",
      description: "Its structure alone, as a picture"
    }
  ])
)

type Entries = Chemicals.Chemicals["entries"]

const writePage = (entries: Entries, output: Option.Option<string>, synonyms: number) =>
  Effect.flatMap(picture.load, ({ Report }) =>
    picture.write(
      output,
      Report.encode(entries, { title: "Chemicals", synonyms }).pipe(
        Stream.mapError((error) => (error._tag === "CommandFailure" ? error : runFailure(error.message)))
      )
    )
  )

/** Writes a card for each chemical. */
const writeCards = (entries: Entries, output: Option.Option<string>, synonyms: number) =>
  Effect.flatMap(picture.load, ({ Card }) => {
    const isTerminal = Option.isNone(output) && process.stdout.isTTY
    const columns = isTerminal ? process.stdout.columns : undefined
    const styled = isTerminal && !process.env["NO_COLOR"]
    const bytes = separated(
      entries.pipe(
        Stream.filter((entry) => entry._tag === "Chapter"),
        Stream.mapEffect(({ chemical }) => Card.toText(chemical, { columns, styled, synonyms }))
      )
    )
    return picture.write(output, bytes, styled)
  })

/** Encodes cards, with a blank line between them. */
const separated = <E, R>(cards: Stream.Stream<string, E, R>): Stream.Stream<Uint8Array, E, R> =>
  cards.pipe(
    Stream.zipWithIndex,
    Stream.map(([card, index]) => (index === 0 ? card : `\n${card}`)),
    Stream.encodeText
  )

/** Writes the structure of the only chemical. */
const writeStructure = (entries: Entries, output: Option.Option<string>, format: "svg" | "png") =>
  Effect.gen(function* () {
    const { Chemical, Structure } = yield* picture.load
    const [entry, other] = yield* Stream.runCollect(Stream.take(entries, 2))
    if (other !== undefined) {
      return yield* usageFailure(
        `a .${format} file has one structure, and the input has several substances: use .html`
      )
    }
    // The reason is printed already.
    if (entry?._tag !== "Chapter") return yield* incompleteRun
    const { chemical } = entry
    const svg = yield* Structure.toSvg(Chemical.smilesOf(chemical) ?? "", {
      title: Chemical.nameOf(chemical),
      width: 480,
      height: 360,
      palette: "elements"
    }).pipe(Effect.mapError((error) => runFailure(`${chemical.id} cannot be drawn: ${error.message}`)))
    yield* picture.write(output, picture.ofSvgs([svg], format, { title: Chemical.nameOf(chemical) }))
  })
