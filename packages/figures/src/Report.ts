/**
 * A report on a list of chemicals as one HTML file: contents, what is missing, and a chapter a chemical with its card, its
 * structure, the plot of its hit calls, its strongest curves and a table of its active records.
 *
 * It loads nothing, runs nothing and prints a chapter a page. Chapters go into a temporary file as they come, and from
 * there behind the contents: in memory are one chapter and a line of contents for each. Which chemicals, and from where, is
 * the caller's.
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
import { counted } from "./internal/text/plainText.ts"
import * as Plot from "./Plot.ts"

/** The most entries unless another bound is given. */
export const defaultMaxEntries = 20_000

/** The rows of a chapter's table of active records at most; the rest is counted. */
export const mostRows = 50

/** The bytes read from the temporary file at a time. */
const chunkBytes = 256 * 1024

/** More entries came than the report may have. */
export class TooManyEntries extends Data.TaggedError("TooManyEntries")<{
  readonly maxEntries: number
  readonly message: string
}> {}

/** The temporary file of the chapters cannot be written or read. */
export class SpoolError extends Data.TaggedError("SpoolError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A chapter. `note` says what of the chemical could not be had. */
export interface Chapter {
  readonly _tag: "Chapter"
  readonly chemical: Chemical
  readonly note?: string | undefined
}

/** An identifier without a chapter, and why. It is listed, so that nothing is lost. */
export interface Absent {
  readonly _tag: "Absent"
  readonly id: string
  readonly outcome: "missing" | "failed" | "invalid"
  readonly message: string
}

/** What a report is made of. */
export type Entry = Chapter | Absent

/** How a report is written. */
export interface Options extends FactOptions {
  /** The title; `Chemicals` unless given. */
  readonly title?: string | undefined
  /** The concentration-response curves of a chapter at most: its records of the highest hit call. 2 unless given. */
  readonly curves?: number | undefined
  /** The most entries, `defaultMost` unless given. */
  readonly maxEntries?: number | undefined
}

/** The chapter of a chemical; `note` says what of it could not be had. */
export const chapter = (chemical: Chemical, note?: string): Chapter => ({ _tag: "Chapter", chemical, note })

/** What stands in a report for an identifier without a chapter. */
export const absent = (id: string, outcome: Absent["outcome"], message: string): Absent => ({
  _tag: "Absent",
  id,
  outcome,
  message
})

/**
 * The report as the bytes of its file. Nothing is emitted before the last entry has come.
 *
 * Fails with what the entries fail with, with `TooManyEntries`, and with `SpoolError`.
 *
 * @example
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
              message: `a report has at most ${maxEntries} entries, and there are more: make several`
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
    counted(contents.length, "chemical"),
    ...(missing.length > 0 ? [`${counted(missing.length, "identifier")} without a chapter`] : []),
    ...(partial.length > 0 ? [`${counted(partial.length, "chapter")} incomplete`] : [])
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
      const svg = yield* Plot.hitCalls(data, { title: nameOf(chemical), height: 360, cytotoxLowerUm })
      parts.push(markup`<figure>${new Markup(svg)}</figure>`)
      for (const record of strongest(data, options.curves ?? 2)) {
        parts.push(markup`<figure>${new Markup(yield* Plot.curve(record, { height: 360 }))}</figure>`)
      }
      parts.push(activeTable(data))
    }
    parts.push(markup`<p class="back"><a href="#top">Contents</a></p>
`)
    // The card is an article: what belongs to the chapter goes inside it.
    return card.replace(/<\/article>\n$/, () => `${markup`${parts}`.text}</article>\n`)
  })

/** The records of the highest hit call that have points and a curve. */
const strongest = (
  data: ReadonlyArray<BioactivityData.BioactivityData>,
  maxEntries: number
): ReadonlyArray<BioactivityData.BioactivityData> =>
  data
    .filter((record) => isActive(record) && Curve.of(record) !== undefined && record.mc3Param != null)
    .sort((a, b) => (numberOf(b, "hitc") ?? 0) - (numberOf(a, "hitc") ?? 0))
    .slice(0, Math.max(0, maxEntries))

const isActive = (record: BioactivityData.BioactivityData): boolean =>
  (numberOf(record, "hitc") ?? 0) >= BioactivityData.activeFrom

const columns = [
  ["Assay endpoint", "aeid"],
  ["m4id", "m4id"],
  ["Sample", "spid"],
  ["Model", "modl"]
] as const

const activeTable = (data: ReadonlyArray<BioactivityData.BioactivityData>): Markup => {
  const found = data.filter(isActive)
  if (found.length === 0)
    return markup`<p class="note">None of ${counted(data.length, "record")} is active.</p>`
  const number = (value: number | undefined): Markup =>
    markup`<td class="number">${value === undefined ? undefined : significant(value)}</td>`
  const rows = found
    .toSorted((a, b) => (Curve.ac50(a) ?? Number.MAX_VALUE) - (Curve.ac50(b) ?? Number.MAX_VALUE))
    .slice(0, mostRows)
    .map(
      (
        record
      ) => markup`<tr>${columns.map(([, field]) => markup`<td>${textOf(record, field)}</td>`)}${number(Curve.ac50(record))}${number(numberOf(record, "hitc"))}${number(Curve.top(record))}${number(numberOf(record, "coff"))}</tr>
`
    )
  const rest = found.length - rows.length
  return markup`<h3>Active records, the most potent first</h3>
<table><thead><tr>${columns.map(([label]) => markup`<th>${label}</th>`)}<th class="number">AC50 (µM)</th><th class="number">Hit call</th><th class="number">Top</th><th class="number">Cutoff</th></tr></thead><tbody>
${rows}</tbody></table>
${rest > 0 ? markup`<p class="note">and ${rest} more</p>` : undefined}`
}

/** A file of its own, which is gone with the scope. */
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
        message: `cannot ${action} the temporary file of the chapters in ${tmpdir()}: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  })
}
