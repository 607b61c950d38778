/**
 * Writes a report on chemicals as one HTML file: a table with a row for each chemical, and chapters on the first ones.
 *
 * A chapter has the card, the structure, the plot of hit calls, the strongest curves and a table of active records. The
 * file loads nothing. Its only script, which the policy names by its hash, sorts the table.
 *
 * Rows and chapters wait in temporary files until the counts of the header are known, so memory holds one chapter.
 */

import { createHash } from "node:crypto"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BioactivityData } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"
import { Data, Effect, Option, type Scope, Stream } from "effect"
import * as Card from "./Card.ts"
import { type Chemical, type FactOptions, nameOf } from "./Chemical.ts"
import * as Curve from "./Curve.ts"
import { checkList } from "./internal/arguments.ts"
import { titles } from "./internal/quantityTitles.ts"
import { numberOf, significant, textOf } from "./internal/records/recordFields.ts"
import * as overviewTable from "./internal/report/overviewTable.ts"
import type { Absent, Chapter } from "./internal/report/reportEntry.ts"
import * as htmlPage from "./internal/text/htmlPage.ts"
import { Markup, markup } from "./internal/text/markup.ts"
import { formatCount } from "./internal/text/plainText.ts"
import * as Plot from "./Plot.ts"

/** The most entries of a report, if `maxEntries` is not given: 20,000. */
export const defaultMaxEntries = 20_000

/** The largest number of rows in a table of active records. Further ones are only counted. */
export const maxRows = 50

/** The number of bytes per read from the temporary file. */
const chunkBytes = 256 * 1024

/** The report has more entries than `maxEntries`. */
export class TooManyEntries extends Data.TaggedError("TooManyEntries")<{
  readonly maxEntries: number
  readonly message: string
}> {}

/** The temporary file cannot be written or read. */
export class SpoolError extends Data.TaggedError("SpoolError")<{
  readonly message: string
  readonly cause: unknown
}> {}

export type { Absent, Chapter }

/** An entry of a report. */
export type Entry = Chapter | Absent

/** The options of a report. */
export interface Options extends FactOptions {
  /** Default: `Chemicals`. */
  readonly title?: string | undefined
  /** The largest number of concentration-response curves in a chapter, highest hit calls first. Default: 2. */
  readonly curves?: number | undefined
  /** The number of chemicals with a chapter, the first ones. Default: `all`. */
  readonly chapters?: number | "all" | undefined
  /** The names of further columns of the table (`kept` of a chapter). Default: none. */
  readonly keep?: ReadonlyArray<string> | undefined
  /** The largest number of entries. Default: `defaultMaxEntries`. */
  readonly maxEntries?: number | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  title: Declared.text,
  curves: Declared.amount,
  chapters: Declared.anyOf(Declared.amount, Declared.oneOf(["all"])),
  keep: Declared.list(Declared.text),
  maxEntries: Declared.amount,
  synonyms: Declared.amount
})

/** Makes the chapter of a chemical. `note` names the data that could not be fetched. */
export const chapter = (chemical: Chemical, note?: string): Chapter => ({ _tag: "Chapter", chemical, note })

/** Makes the entry of an identifier without a chemical. */
export const absent = (id: string, outcome: Absent["outcome"], message: string): Absent => ({
  _tag: "Absent",
  id,
  outcome,
  message
})

/**
 * Writes a report as bytes once the last entry has arrived.
 *
 * Fails with the errors of the entries, with `TooManyEntries` and with `SpoolError`.
 *
 * @example
 *
 * ```ts
 * import { Report } from "@chemstream/figures"
 * import { Effect, Stream } from "effect"
 *
 * const details = { dtxsid: "DTXSID9020584", preferredName: "Ethanol", smiles: "CCO" }
 * const entries = Stream.make(
 *   Report.chapter({ id: "DTXSID9020584", details }),
 *   Report.absent("DTXSID2099900001", "missing", "the service does not know it")
 * )
 * const html = await Effect.runPromise(
 *   Report.encode(entries).pipe(Stream.decodeText, Stream.mkString)
 * )
 * html.includes("1 chemical, 1 identifier without a chemical") // => true
 * ```
 */
export const encode = <E, R>(
  entries: Stream.Stream<Entry, E, R>,
  options: Options = {}
): Stream.Stream<Uint8Array, E | SpoolError | TooManyEntries, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const {
        chapters: mostChapters = "all",
        keep = [],
        maxEntries = defaultMaxEntries,
        title = "Chemicals"
      } = Declared.argument("options", optionSet, options)
      Declared.refuseArguments({ entries: Declared.required(Declared.stream) }, [entries])
      const rows = yield* spool
      const chapters = yield* spool
      const counts = { chemicals: 0, incomplete: 0 }
      const absentEntries: Array<Absent> = []
      yield* Stream.runForEach(entries, (entry) =>
        Effect.gen(function* () {
          checkList("entries", [entry])
          if (counts.chemicals + absentEntries.length === maxEntries) {
            return yield* new TooManyEntries({
              maxEntries,
              message: `The report has more than ${maxEntries} entries. Make several reports`
            })
          }
          if (entry._tag === "Absent") {
            absentEntries.push(entry)
            return
          }
          const isChapter = mostChapters === "all" || counts.chemicals < mostChapters
          counts.chemicals++
          if (entry.note !== undefined) counts.incomplete++
          const anchor = `c${counts.chemicals}`
          const row = yield* overviewTable.row(entry, counts.chemicals, isChapter ? anchor : undefined, keep)
          yield* attempt("write", () => rows.writeFile(row.text))
          if (!isChapter) return
          const html = yield* chapterHtml(entry, anchor, options)
          yield* attempt("write", () => chapters.writeFile(html))
        })
      )
      const encoded = (...parts: ReadonlyArray<Markup>) =>
        Stream.make(new TextEncoder().encode(parts.map(({ text }) => text).join("")))
      return encoded(
        htmlPage.begin(title, sorting),
        overviewTable.begin(title, { ...counts, absent: absentEntries.length }, keep)
      ).pipe(
        Stream.concat(bytesOf(rows)),
        Stream.concat(encoded(overviewTable.end(absentEntries))),
        Stream.concat(bytesOf(chapters)),
        Stream.concat(encoded(htmlPage.end(sorting)))
      )
    })
  )

const sorting: htmlPage.Script = {
  text: overviewTable.script,
  hash: `sha256-${createHash("sha256").update(overviewTable.script).digest("base64")}`
}

const chapterHtml = ({ chemical, note }: Chapter, anchor: string, options: Options): Effect.Effect<string> =>
  Effect.gen(function* () {
    const card = yield* Card.toHtml(chemical, { synonyms: options.synonyms, anchor })
    const { assayNames, data = [] } = chemical
    const parts: Array<Markup> = []
    if (note !== undefined) parts.push(markup`<p class="note">Incomplete: ${note}</p>`)
    if (data.length > 0) {
      const cytotoxLowerUm = numberOf(chemical.summary, "cytotoxLowerUm")
      const svg = yield* Plot.hitCalls(data, { title: nameOf(chemical), assayNames, cytotoxLowerUm })
      parts.push(markup`<figure>${new Markup(svg)}</figure>`)
      for (const record of strongest(data, options.curves ?? 2)) {
        parts.push(markup`<figure>${new Markup(yield* Plot.curve(record, { assayNames }))}</figure>`)
      }
      parts.push(activeTable(data, assayNames))
    }
    parts.push(markup`<p class="back"><a href="#top">All chemicals</a></p>
`)
    // The card is an `<article>`. The rest of the chapter goes in before its end.
    return card.replace(/<\/article>\n$/, () => `${markup`${parts}`.text}</article>\n`)
  })

/** Returns the records with the highest hit calls that have points and a curve. */
const strongest = (
  data: ReadonlyArray<BioactivityData.BioactivityData>,
  most: number
): ReadonlyArray<BioactivityData.BioactivityData> =>
  data
    .filter(
      (record) =>
        BioactivityData.isActive(record) && Curve.fromRecord(record) !== undefined && record.mc3Param != null
    )
    .sort((a, b) => (numberOf(b, "hitc") ?? 0) - (numberOf(a, "hitc") ?? 0))
    .slice(0, Math.max(0, most))

const columns = [
  ["Assay endpoint", "aeid"],
  ["m4id", "m4id"],
  ["Sample", "spid"],
  ["Model", "modl"]
] as const

const activeTable = (
  data: ReadonlyArray<BioactivityData.BioactivityData>,
  assayNames: Chemical["assayNames"]
): Markup => {
  const active = data.filter(BioactivityData.isActive)
  if (active.length === 0)
    return markup`<p class="note">None of ${formatCount(data.length, "record")} is active.</p>`
  const number = (value: number | undefined): Markup =>
    markup`<td class="number">${value === undefined ? undefined : significant(value)}</td>`
  const rows = active
    .toSorted((a, b) => (Curve.ac50(a) ?? Number.MAX_VALUE) - (Curve.ac50(b) ?? Number.MAX_VALUE))
    .slice(0, maxRows)
    .map(
      (
        record
      ) => markup`<tr>${columns.map(([, field]) => markup`<td>${textOf(record, field)}${nameIn(record, field, assayNames)}</td>`)}${number(Curve.ac50(record))}${number(numberOf(record, "hitc"))}${number(Curve.top(record))}${number(numberOf(record, "coff"))}</tr>
`
    )
  const rest = active.length - rows.length
  return markup`<h3>Active records, the most potent first</h3>
<table><thead><tr>${columns.map(([label]) => markup`<th>${label}</th>`)}<th class="number">${titles.ac50}</th><th class="number">Hit call</th><th class="number">Top</th><th class="number">Cutoff</th></tr></thead><tbody>
${rows}</tbody></table>
${rest > 0 ? markup`<p class="note">and ${rest} more</p>` : undefined}`
}

/** Returns the name of an assay endpoint, after its number. */
const nameIn = (record: object, field: string, assayNames: Chemical["assayNames"]): string | undefined => {
  const name = field === "aeid" ? assayNames?.get(Number(textOf(record, field))) : undefined
  return name === undefined ? undefined : ` ${name}`
}

/** Opens a temporary file that is deleted with the scope. */
const spool: Effect.Effect<FileHandle, SpoolError, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    attempt("make", async () => {
      const folder = await mkdtemp(join(tmpdir(), "chemstream-report-"))
      try {
        return { folder, handle: await open(join(folder, "chapters.html"), "wx+", 0o600) }
      } catch (cause) {
        await rm(folder, { recursive: true, force: true })
        throw cause
      }
    }),
    ({ folder, handle }) =>
      Effect.promise(async () => {
        await handle.close().catch(() => {})
        await rm(folder, { recursive: true, force: true })
      })
  ),
  ({ handle }) => handle
)

const bytesOf = (handle: FileHandle): Stream.Stream<Uint8Array, SpoolError> =>
  Stream.paginate(0, (position: number) =>
    Effect.map(
      attempt("read", () => handle.read(new Uint8Array(chunkBytes), 0, chunkBytes, position)),
      ({ buffer, bytesRead }) =>
        bytesRead === 0
          ? ([[], Option.none()] as const)
          : ([[buffer.subarray(0, bytesRead)], Option.some(position + bytesRead)] as const)
    )
  )

function attempt<A>(action: "make" | "write" | "read", run: () => Promise<A>): Effect.Effect<A, SpoolError> {
  return Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new SpoolError({
        message: `Cannot ${action} the temporary file of the chapters in ${tmpdir()}: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  })
}
