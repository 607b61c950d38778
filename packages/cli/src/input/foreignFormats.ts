/**
 * Refuses inputs that are not text: workbooks, databases, binary tables, pictures. The first bytes identify the
 * format, not the file name. The error says what to do.
 */
import { Effect, Stream } from "effect"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import * as Encoding from "./encoding.ts"

/** The number of bytes to inspect. */
const headBytes = 512

/** An unsupported format: its first bytes, and what to do. */
interface Foreign {
  /** Its name with an article. */
  readonly name: string
  readonly begins: (head: Buffer) => boolean
  readonly todo: (source: string) => string
}

const starts =
  (signature: string, at = 0) =>
  (head: Buffer): boolean =>
    head.toString("latin1", at, at + signature.length) === signature

/**
 * Matches a signature of letters. A text may start with the same letters, so the bytes must also have control
 * characters.
 */
const startsBinary = (signature: string, at = 0): ((head: Buffer) => boolean) => {
  const begins = starts(signature, at)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish it from text.
  return (head) => begins(head) && /[\u0000-\u0008\u000e-\u001a]/.test(head.toString("latin1"))
}

const saveAsCsv = (): string =>
  'Save the sheet as "CSV UTF-8", then give that file with --input FILE.csv --key COLUMN'

const inDuckDb = (source: string): string =>
  `Export its column, e.g. duckdb -csv -c "SELECT dtxsid FROM '${source}'" > ids.csv, then --input ids.csv --key dtxsid`

const typed = (): string => "Give the identifiers as text, one a line"

const unpack =
  (program: string) =>
  (source: string): string =>
    `Unpack it: ${program} ${source} | chemstream …`

/** The formats, in the order of comparison. */
const formats: ReadonlyArray<Foreign> = [
  {
    name: "an Excel workbook",
    begins: (head) =>
      starts("PK\u0003\u0004")(head) && /\[Content_Types\]\.xml|_rels\/|xl\//.test(head.toString("latin1")),
    todo: saveAsCsv
  },
  {
    name: "an OpenDocument sheet",
    begins: (head) => starts("PK\u0003\u0004")(head) && head.includes("opendocument"),
    todo: saveAsCsv
  },
  { name: "a zip file", begins: starts("PK\u0003\u0004"), todo: unpack("unzip -p") },
  { name: "an old Excel workbook", begins: starts("\u00d0\u00cf\u0011\u00e0"), todo: saveAsCsv },
  { name: "a Parquet file", begins: startsBinary("PAR1"), todo: inDuckDb },
  { name: "an Arrow file", begins: startsBinary("ARROW1"), todo: typed },
  {
    name: "a SQLite database",
    begins: starts("SQLite format 3\u0000"),
    todo: (source) =>
      `Export its column, e.g. sqlite3 -header -csv ${source} 'SELECT dtxsid FROM …' > ids.csv, then --input ids.csv --key dtxsid`
  },
  { name: "a DuckDB database", begins: startsBinary("DUCK", 8), todo: inDuckDb },
  { name: "a picture (PNG)", begins: starts("\u0089PNG"), todo: typed },
  { name: "a picture (JPEG)", begins: starts("\u00ff\u00d8\u00ff"), todo: typed },
  { name: "a picture (GIF)", begins: startsBinary("GIF8"), todo: typed },
  { name: "a picture (TIFF)", begins: starts("II*\u0000"), todo: typed },
  { name: "a picture (TIFF)", begins: starts("MM\u0000*"), todo: typed },
  { name: "a picture (WebP)", begins: startsBinary("WEBP", 8), todo: typed },
  { name: "a PDF", begins: starts("%PDF-"), todo: typed },
  { name: "compressed with bzip2", begins: starts("1AY&SY", 4), todo: unpack("bzip2 -dc") },
  { name: "compressed with xz", begins: starts("\u00fd7zXZ\u0000"), todo: unpack("xz -dc") },
  { name: "compressed with 7-Zip", begins: starts("7z\u00bc\u00af"), todo: unpack("7z x -so") },
  ...["UTF-16", "UTF-16LE", "UTF-16BE"].map((encoding) => ({
    name: `in ${encoding}`,
    begins: (head: Buffer) => utf16Of(head) === encoding,
    todo: (source: string) => Encoding.converted(source, encoding)
  })),
  { name: "not text: it holds zero bytes", begins: (head) => head.includes(0), todo: typed }
]

/** Passes bytes on, and fails if they are not text. `source` is their name in messages. */
export const refuse =
  (source: string) =>
  <R>(bytes: Stream.Stream<Uint8Array, CommandFailure, R>): Stream.Stream<Uint8Array, CommandFailure, R> =>
    Stream.suspend(() => {
      let head = Buffer.alloc(0)
      return Stream.mapEffect(bytes, (chunk) => {
        if (head.length >= headBytes) return Effect.succeed(chunk)
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
        const found = formats.find(({ begins }) => begins(head))
        return found === undefined
          ? Effect.succeed(chunk)
          : Effect.fail(usage(`cannot read ${source}: it is ${found.name}. ${found.todo(source)}`))
      })
    })

/** Detects UTF-16 by its byte-order mark, or by zeros in every other byte. */
const utf16Of = (head: Buffer): string | undefined => {
  if (starts("\u00ff\u00fe")(head) || starts("\u00fe\u00ff")(head)) return "UTF-16"
  const zeros = [0, 1].map((side) => head.filter((byte, at) => at % 2 === side && byte === 0).length)
  const [even = 0, odd = 0] = zeros
  if (even + odd <= head.length / 4 || (even > 0 && odd > 0)) return undefined
  return even > 0 ? "UTF-16BE" : "UTF-16LE"
}
