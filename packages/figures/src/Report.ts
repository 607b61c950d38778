/**
 * Writes a report on chemicals as one HTML file: contents, missing identifiers, and one chapter per chemical.
 *
 * A chapter has the card, the structure, the plot of hit calls, the strongest curves and a table of active records.
 * The file loads nothing, runs nothing and prints each chapter on its own page.
 *
 * Chapters wait in a temporary file until the contents are complete, so memory holds one chapter and one line of
 * contents per chemical.
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BioactivityData } from "@chemstream/api"
import { Data, Effect, Option, type Scope, Stream } from "effect"
import * as Card from "./Card.ts"
import { type Chemical, type FactOptions, nameOf } from "./Chemical.ts"
import * as Curve from "./Curve.ts"
import { numberOf, significant, textOf } from "./internal/records/fields.ts"
import { Markup, markup } from "./internal/text/markup.ts"
import * as page from "./internal/text/page.ts"
import { formatCount } from "./internal/text/plainText.ts"
import * as Plot from "./Plot.ts"

/** The default of `maxEntries`. */
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

/** A chapter. `note` names the data that could not be fetched. */
export interface Chapter {
  readonly _tag: "Chapter"
  readonly chemical: Chemical
  readonly note?: string | undefined
}

/** An identifier without a chapter, with the reason. The report lists it. */
export interface Absent {
  readonly _tag: "Absent"
  readonly id: string
  readonly outcome: "missing" | "failed" | "invalid"
  readonly message: string
}

/** An entry of a report. */
export type Entry = Chapter | Absent

/** The options of a report. */
export interface Options extends FactOptions {
  /** Default: `Chemicals`. */
  readonly title?: string | undefined
  /** The largest number of concentration-response curves in a chapter, highest hit calls first. Default: 2. */
  readonly curves?: number | undefined
  /** The largest number of entries. Default: `defaultMaxEntries`. */
  readonly maxEntries?: number | undefined
}

/** Makes the chapter of a chemical. `note` names the data that could not be fetched. */
export const chapter = (chemical: Chemical, note?: string): Chapter => ({ _tag: "Chapter", chemical, note })

/** Makes the entry of an identifier without a chapter. */
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
 * html.includes("1 chemical, 1 identifier without a chapter") // => true
 * ```
 */
export const encode = <E, R>(
  entries: Stream.Stream<Entry, E, R>,
  options: Options = {}
): Stream.Stream<Uint8Array, E | SpoolError | TooManyEntries, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { maxEntries = defaultMaxEntries, title = "Chemicals" } = options
      const handle = yield* spool
      const contents: Array<Line> = []
      const missing: Array<Absent> = []
      yield* Stream.runForEach(entries, (entry) =>
        Effect.gen(function* () {
          if (contents.length + missing.length === maxEntries) {
            return yield* new TooManyEntries({
              maxEntries,
              message: `The report has more than ${maxEntries} entries. Make several reports`
            })
          }
          if (entry._tag === "Absent") {
            missing.push(entry)
            return
          }
          const anchor = `c${contents.length + 1}`
          contents.push({ anchor, id: entry.chemical.id, name: nameOf(entry.chemical), note: entry.note })
          const html = yield* chapterHtml(entry, anchor, options)
          yield* attempt("write", () => handle.writeFile(html))
        })
      )
      const encoder = new TextEncoder()
      const opening = encoder.encode(page.begin(title).text + overview(title, contents, missing).text)
      const closing = encoder.encode(page.end.text)
      return Stream.make(opening).pipe(Stream.concat(bytesOf(handle)), Stream.concat(Stream.make(closing)))
    })
  )

interface Line {
  readonly anchor: string
  readonly id: string
  readonly name: string
  readonly note: string | undefined
}

const overview = (title: string, contents: ReadonlyArray<Line>, missing: ReadonlyArray<Absent>): Markup => {
  const partial = contents.filter(({ note }) => note !== undefined)
  const counts = [
    formatCount(contents.length, "chemical"),
    ...(missing.length > 0 ? [`${formatCount(missing.length, "identifier")} without a chapter`] : []),
    ...(partial.length > 0 ? [`${formatCount(partial.length, "chapter")} incomplete`] : [])
  ]
  return markup`<header id="top"><h1>${title}</h1>
<p>${counts.join(", ")}</p></header>
${
  missing.length === 0
    ? undefined
    : markup`<section><h2>Without a chapter</h2>
<table><thead><tr><th>Identifier</th><th>Outcome</th><th>Reason</th></tr></thead><tbody>
${missing.map(
  ({ id, message, outcome }) => markup`<tr><td>${id}</td><td>${outcome}</td><td>${message}</td></tr>
`
)}</tbody></table></section>
`
}<nav><h2>Contents</h2>
<ol>
${contents.map(
  ({
    anchor,
    id,
    name,
    note
  }) => markup`<li><a href="#${anchor}">${name}</a>${name === id ? undefined : ` ${id}`}${note === undefined ? undefined : " (incomplete)"}</li>
`
)}</ol></nav>
`
}

const chapterHtml = ({ chemical, note }: Chapter, anchor: string, options: Options): Effect.Effect<string> =>
  Effect.gen(function* () {
    const card = yield* Card.toHtml(chemical, { synonyms: options.synonyms, anchor })
    const data = chemical.data ?? []
    const parts: Array<Markup> = []
    if (note !== undefined) parts.push(markup`<p class="note">Incomplete: ${note}</p>`)
    if (data.length > 0) {
      const cytotoxLowerUm = numberOf(chemical.summary, "cytotoxLowerUm")
      const { assayNames } = chemical
      const svg = yield* Plot.hitCalls(data, {
        title: nameOf(chemical),
        height: 360,
        cytotoxLowerUm,
        assayNames
      })
      parts.push(markup`<figure>${new Markup(svg)}</figure>`)
      for (const record of strongest(data, options.curves ?? 2)) {
        parts.push(
          markup`<figure>${new Markup(yield* Plot.curve(record, { height: 360, assayNames }))}</figure>`
        )
      }
      parts.push(activeTable(data, assayNames))
    }
    parts.push(markup`<p class="back"><a href="#top">Contents</a></p>
`)
    // The card is an `<article>`. The rest of the chapter goes in before its end.
    return card.replace(/<\/article>\n$/, () => `${markup`${parts}`.text}</article>\n`)
  })

/** Returns the records with the highest hit calls that have points and a curve. */
const strongest = (
  data: ReadonlyArray<BioactivityData.BioactivityData>,
  maxEntries: number
): ReadonlyArray<BioactivityData.BioactivityData> =>
  data
    .filter(
      (record) =>
        BioactivityData.isActive(record) && Curve.fromRecord(record) !== undefined && record.mc3Param != null
    )
    .sort((a, b) => (numberOf(b, "hitc") ?? 0) - (numberOf(a, "hitc") ?? 0))
    .slice(0, Math.max(0, maxEntries))

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
<table><thead><tr>${columns.map(([label]) => markup`<th>${label}</th>`)}<th class="number">AC50 (µM)</th><th class="number">Hit call</th><th class="number">Top</th><th class="number">Cutoff</th></tr></thead><tbody>
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
