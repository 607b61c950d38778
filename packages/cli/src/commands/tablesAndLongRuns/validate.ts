/**
 * `chemstream validate`: checks forms and check digits of identifiers, and suggests corrections. It sends no request, except
 * with `--lookup`.
 */

import { type Identifiers, Plan } from "@chemstream/stream"
import { type Duration, Effect, Layer, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { incompleteRun } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { choice, optionalText, switchFlag, values } from "../../flags/flagTypes.ts"
import * as LayoutFlags from "../../flags/layoutFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as IdentifierCheck from "../../input/identifierCheck.ts"
import type { Input } from "../../input/openInput.ts"
import * as openInput from "../../input/openInput.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as OutputFiles from "../../output/outputFiles.ts"
import * as RunPlan from "../../run/runPlan.ts"
import * as SimilarIdentifiers from "../../run/similarIdentifiers.ts"
import { linesText } from "../../run/summary.ts"
import * as Messages from "../../terminal/messages.ts"
import { count } from "../../terminal/quantities.ts"

/** The field of a JSON object with the identifier, by kind. */
const fields: Readonly<Record<IdentifierCheck.Kind, string>> = {
  dtxsid: "dtxsid",
  dtxcid: "dtxcid",
  casrn: "casrn",
  inchikey: "inchikey",
  inchi: "inchiString",
  smiles: "smiles",
  formula: "molFormula"
}

/** The number of lines whose wrong check digits are looked up together. Few have one, and one request takes many identifiers. */
const lookupLines = 10_000

/** The finding about one line of the input: a line of the output. */
interface Checked extends IdentifierCheck.Finding {
  readonly id: string
  readonly line: number
}

/** The counts of a run. */
interface Tally {
  read: number
  malformed: number
  checkDigit: number
  suggested: number
  similar: number
}

export const validate = Command.make(
  "validate",
  {
    values: values("ID", "Identifiers [default: those of --input, else of standard input]"),
    kind: choice(
      "kind",
      ["auto", ...IdentifierCheck.kinds],
      "auto",
      "Kind that the values must have [default: auto, the kind that each looks like]"
    ),
    input: runFlags.input,
    key: runFlags.key("that of the kind"),
    ...LayoutFlags.flags,
    output: optionalText(
      "output",
      "FILE",
      "File of the findings as NDJSON, compressed when named .gz or .zst [default: standard output]",
      "o"
    ),
    lookup: switchFlag(
      "lookup",
      "Add didYouMean: identifiers near one with a wrong check digit, if the service knows them"
    ),
    client: clientFlags.flags,
    dryRun: clientFlags.dryRun,
    quiet: switchFlag("quiet", "No summary").pipe(Flag.withAlias("q"))
  },
  ({ client, dryRun, kind, lookup, output: target, quiet, ...given }) =>
    Effect.gen(function* () {
      yield* FileCheck.check({
        inputs: [...openInput.files(given), ...clientFlags.files(client)],
        outputs: FileCheck.replaced("--output", target, { isNdjson: true })
      })
      const {
        copy,
        identifiers,
        tally: lines,
        window
      } = yield* openInput.ofFlags(
        { ...given, quiet },
        kind === "auto" ? Object.values(fields) : [fields[kind]]
      )
      const check = Stream.map(checkedAs(kind))
      const provideClient = clientFlags.provide(client, { dryRun })
      if (dryRun) return yield* provideClient(printPlan(check(identifiers), lookup, target))
      if (lookup && !quiet && copy !== undefined)
        yield* provideClient(RunPlan.announceLong(planOf(check(copy))))
      const tally: Tally = { read: 0, malformed: 0, checkDigit: 0, suggested: 0, similar: 0 }
      const checked = Stream.tap(check(identifiers), ({ reason, suggestion, valid }) =>
        Effect.sync(() => {
          tally.read++
          if (reason === "check-digit") tally.checkDigit++
          if (reason === "malformed" || reason === "placeholder") tally.malformed++
          if (!valid && suggestion !== null) tally.suggested++
        })
      )
      const findings = lookup
        ? withSimilar(checked, window, runFlags.waitOf(undefined, given.values)).pipe(
            Stream.tap(({ didYouMean }) =>
              Effect.sync(() => {
                if (didYouMean.length > 0) tally.similar++
              })
            ),
            Stream.provideContext(yield* Layer.build(clientFlags.layer(client)))
          )
        : checked
      const bytes = findings.pipe(
        Stream.map((finding: Checked) => `${JSON.stringify(finding)}\n`),
        Stream.mapArray((lines) => [lines.join("")] as const),
        Stream.encodeText
      )
      // The reader has closed the pipe, so the rest is not needed.
      if (!(yield* OutputFiles.write(target, bytes))) return
      const invalid = tally.malformed + tally.checkDigit
      if (!quiet) {
        Messages.say(`${summaryText(tally)}${linesText(tally.read, lines)}`)
      }
      if (invalid > 0) yield* incompleteRun
    }).pipe(Effect.scoped)
).pipe(
  withHelp("Check the formats and check digits of identifiers; sends no request without --lookup", {
    "chemstream validate 80-05-7 DTXSID1020182": "The kind of each value is detected",
    "cut -d, -f2 chemicals.csv | chemstream validate --kind casrn | jq -c 'select(.valid | not)'":
      "The wrong CAS numbers of a table",
    "chemstream validate --lookup --input numbers.txt | jq -c 'select(.didYouMean[0])'":
      "The existing numbers that differ by one typing error",
    "chemstream validate --input results.ndjson --key inchikey --quiet > /dev/null && echo fine":
      "As a condition in a script"
  })
)

/** The result for a line without a value. */
const noValue = (message: string, kind: IdentifierCheck.Kind | "auto"): IdentifierCheck.Finding => ({
  valid: false,
  kind: kind === "auto" ? null : kind,
  reason: "malformed",
  message,
  suggestion: null
})

/** Checks an identifier, without a request. */
const checkedAs =
  (kind: IdentifierCheck.Kind | "auto") =>
  ({ fault, line, text }: Identifiers.Identifier): Checked => {
    const finding = fault === undefined ? IdentifierCheck.find(text, kind) : noValue(fault, kind)
    const { kind: found, message, reason, suggestion, valid } = finding
    return { id: text, line, valid, kind: found, reason, message, suggestion }
  }

/** Returns the values with a wrong check digit. */
const wrongOf = (checked: ReadonlyArray<Checked>): ReadonlyArray<SimilarIdentifiers.Wrong> =>
  checked.flatMap(({ id: text, kind, reason }) =>
    reason === "check-digit" && SimilarIdentifiers.isKind(kind) ? [{ kind, text }] : []
  )

/** Adds the existing identifiers near each value with a wrong check digit. */
const withSimilar = <E, R>(checked: Stream.Stream<Checked, E, R>, window: Input["window"], wait: number) => {
  const results: SimilarIdentifiers.Results = new Map()
  const groups: Stream.Stream<ReadonlyArray<Checked>, E, R> = window === undefined
    ? Stream.grouped(checked, lookupLines)
    : groupedWithin(checked, window)
  return groups.pipe(
    Stream.mapEffect((some) => {
      const wrong = wrongOf(some)
      const similarTo = ({ id, reason }: Checked) => (reason === "check-digit" ? (results.get(id) ?? []) : [])
      return Effect.map(SimilarIdentifiers.find(wrong, results, wait), () =>
        some.map((one) => ({ ...one, didYouMean: similarTo(one) }))
      )
    }),
    Stream.flattenIterable
  )
}

/** Groups values, also those before a failure, which `Stream.groupedWithin` drops. */
const groupedWithin = <E, R>(
  checked: Stream.Stream<Checked, E, R>,
  window: Duration.Input
): Stream.Stream<ReadonlyArray<Checked>, E, R> =>
  Stream.suspend(() => {
    let failure: Stream.Stream<never, E> = Stream.empty
    const values = Stream.catchCause(checked, (cause) => {
      failure = Stream.failCause(cause)
      return Stream.empty
    })
    return Stream.concat(
      Stream.groupedWithin(values, lookupLines, window),
      Stream.suspend(() => failure)
    )
  })

/** Returns the values with a wrong check digit, and the requests of a run with `--lookup`. */
const planOf = <E, R>(checked: Stream.Stream<Checked, E, R>) => {
  const seen = new Set<string>()
  const isNew = ({ text }: SimilarIdentifiers.Wrong): boolean => {
    const { size } = seen
    return seen.add(text).size > size
  }
  return Effect.map(
    checked.pipe(
      Stream.grouped(lookupLines),
      Stream.map((some) => wrongOf(some).filter(isNew)),
      Stream.mapEffect((wrong) =>
        Effect.map(SimilarIdentifiers.plan(wrong), (requests) => ({ wrong: wrong.length, ...requests }))
      ),
      Stream.runCollect
    ),
    (groups) => ({
      ...Plan.sum(groups),
      wrong: groups.reduce((sum, group) => sum + group.wrong, 0)
    })
  )
}

/** Prints the plan of a run. */
const printPlan = <E, R>(
  checked: Stream.Stream<Checked, E, R>,
  isLookup: boolean,
  output: string | undefined
) =>
  Effect.flatMap(planOf(checked), ({ wrong, ...requests }) =>
    RunPlan.printPlan(
      `with a wrong check digit ${count(wrong)}`,
      isLookup ? requests : { least: 0, most: 0 },
      { output }
    )
  )

const summaryText = ({ checkDigit, malformed, read, similar, suggested }: Tally): string =>
  [
    `read ${count(read)} = ${count(read - malformed - checkDigit)} valid + ${count(checkDigit)} with a wrong check digit + ${count(malformed)} malformed\n`,
    suggested === 0 ? "" : `${count(suggested)} with a suggested correction\n`,
    similar === 0 ? "" : `${count(similar)} with a similar identifier that the service knows\n`
  ].join("")
