/**
 * `chemstream validate`: checks forms and check digits of identifiers, and suggests corrections. It sends no request, except
 * with `--lookup`.
 */
import { Effect, Layer, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { incompleteRun } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import * as IdentifierKinds from "../../input/identifierKinds.ts"
import * as input from "../../input/input.ts"
import * as Output from "../../output/output.ts"
import * as RunFiles from "../../output/runFiles.ts"
import * as SimilarIdentifiers from "../../run/similarIdentifiers.ts"
import { count, linesText } from "../../run/summary.ts"
import * as Messages from "../../terminal/messages.ts"

/** The field of a JSON object with the identifier, by kind. */
const fields: Readonly<Record<IdentifierKinds.Kind, string>> = {
  dtxsid: "dtxsid",
  dtxcid: "dtxcid",
  casrn: "casrn",
  inchikey: "inchikey",
  formula: "molFormula"
}

/** The number of values in one lookup. */
const lookupSize = 100

interface Checked extends IdentifierKinds.Finding {
  readonly id: string
  readonly line: number
}

/** Adds the existing identifiers near each value with a wrong check digit. */
const withSimilar = (checked: ReadonlyArray<Checked>, wait: number) =>
  Effect.gen(function* () {
    const similar = new Map<string, ReadonlyArray<SimilarIdentifiers.Similar>>()
    const wrong = checked.filter(({ reason }) => reason === "check-digit")
    for (const [kind, findings] of Map.groupBy(wrong, ({ kind }) => kind)) {
      if (!SimilarIdentifiers.isKind(kind)) continue
      const texts = findings.map(({ id }) => id)
      for (const [text, found] of yield* SimilarIdentifiers.find(kind, texts, wait)) similar.set(text, found)
    }
    return checked.map((one) => ({ ...one, didYouMean: similar.get(one.id) ?? [] }))
  })

/** The result for a line without a value. */
const noValue = (message: string, kind: IdentifierKinds.Kind | "auto"): IdentifierKinds.Finding => ({
  valid: false,
  kind: kind === "auto" ? null : kind,
  reason: "malformed",
  message,
  suggestion: null
})

/** The counts of a run. */
interface Tally {
  read: number
  malformed: number
  checkDigit: number
  suggested: number
  similar: number
}

const summaryText = ({ checkDigit, malformed, read, similar, suggested }: Tally): string =>
  [
    `read ${count(read)} = ${count(read - malformed - checkDigit)} valid + ${count(checkDigit)} with a wrong check digit + ${count(malformed)} malformed\n`,
    suggested === 0 ? "" : `${count(suggested)} with a suggested correction\n`,
    similar === 0 ? "" : `${count(similar)} with a similar identifier that the service knows\n`
  ].join("")

export const validate = Command.make(
  "validate",
  {
    values: Argument.String("ID").pipe(
      Argument.withDescription("Identifiers [default: those of --input, else of standard input]"),
      Argument.variadic()
    ),
    kind: Flag.Literals("kind", ["auto", ...IdentifierKinds.kinds]).pipe(
      Flag.withDescription("Kind that the values must have [default: auto, the kind that each looks like]"),
      Flag.withDefault("auto" as const)
    ),
    input: runFlags.input,
    key: runFlags.key("that of the kind"),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "File of the findings as NDJSON, compressed when named .gz or .zst [default: standard output]"
      ),
      Flag.optional
    ),
    lookup: Flag.Boolean("lookup").pipe(
      Flag.withDescription(
        "Add didYouMean: identifiers near one with a wrong check digit, if the service knows them"
      ),
      Flag.withDefault(false)
    ),
    client: clientFlags.flags,
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withAlias("q"),
      Flag.withDescription("No summary"),
      Flag.withDefault(false)
    )
  },
  ({ client, kind, lookup, output: target, quiet, ...given }) =>
    Effect.gen(function* () {
      yield* RunFiles.check({
        inputs: [...input.files(given), ...clientFlags.files(client)],
        outputs: RunFiles.replaced("--output", target)
      })
      const { identifiers, tally: lines } = yield* input.ofFlags(
        given,
        kind === "auto" ? Object.values(fields) : [fields[kind]]
      )
      const tally: Tally = { read: 0, malformed: 0, checkDigit: 0, suggested: 0, similar: 0 }
      const { commit, outputs } = yield* Output.openFiles({ output: Option.getOrUndefined(target) })
      const { output = Output.standard() } = outputs
      const checked = identifiers.pipe(
        Stream.map(({ fault, line, text }): Checked => {
          const finding = fault === undefined ? IdentifierKinds.find(text, kind) : noValue(fault, kind)
          tally.read++
          if (finding.reason === "check-digit") tally.checkDigit++
          if (finding.reason === "malformed") tally.malformed++
          if (!finding.valid && finding.suggestion !== null) tally.suggested++
          const { kind: found, message, reason, suggestion, valid } = finding
          return { id: text, line, valid, kind: found, reason, message, suggestion }
        })
      )
      const wait = runFlags.waitOf(Option.none(), given.values)
      const findings = lookup
        ? checked.pipe(
            Stream.grouped(lookupSize),
            Stream.mapEffect((some) => withSimilar(some, wait)),
            Stream.flattenIterable,
            Stream.tap(({ didYouMean }) =>
              Effect.sync(() => {
                if (didYouMean.length > 0) tally.similar++
              })
            ),
            Stream.provideContext(yield* Layer.build(clientFlags.layer(client)))
          )
        : checked
      const isRead = yield* findings.pipe(
        Stream.map((finding: Checked) => `${JSON.stringify(finding)}\n`),
        Stream.mapArray((lines) => [lines.join("")] as const),
        Stream.runForEach((text) => output.write(new TextEncoder().encode(text))),
        Effect.as(true),
        Effect.catchTag("ReaderGone", () => Effect.succeed(false))
      )
      // The reader has closed the pipe, so the rest is not needed.
      if (!isRead) return
      yield* commit("output")
      const invalid = tally.malformed + tally.checkDigit
      if (!quiet) {
        Messages.say(`${summaryText(tally)}${linesText(tally.read, lines)}`)
      }
      if (invalid > 0) yield* incompleteRun
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Check the formats and check digits of identifiers; sends no request without --lookup"
  ),
  Command.withExamples([
    {
      command: "chemstream validate 80-05-7 DTXSID1020182",
      description: "The kind of each value is detected"
    },
    {
      command: "cut -d, -f2 chemicals.csv | chemstream validate --kind casrn | jq -c 'select(.valid | not)'",
      description: "The wrong CAS numbers of a table"
    },
    {
      command: "chemstream validate --lookup --input numbers.txt | jq -c 'select(.didYouMean[0])'",
      description: "The existing numbers that differ by one typing error"
    },
    {
      command: "chemstream validate --input results.ndjson --key inchikey --quiet > /dev/null && echo fine",
      description: "As a condition in a script"
    }
  ])
)
