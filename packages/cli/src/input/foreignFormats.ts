/**
 * Refuses inputs that are not lines of values: workbooks, databases, pictures, web pages, JSON documents, structures.
 * The first bytes identify the format, not the file name. The error says what to do.
 *
 * `rowDetection.ts` recognises a table whose rows are read as values.
 */
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { shellWord } from "../terminal/shellWord.ts"
import * as Encoding from "./encoding.ts"

/** The number of bytes to inspect. */
const headBytes = 512

/** An unsupported format: its first bytes, and what to do. */
interface ForeignFormat {
  /** Its name with an article. */
  readonly name: string
  readonly matches: (head: Buffer) => boolean
  readonly advice: (source: string) => string
}

/** Passes bytes on, and fails if they are not text. `source` is their name in messages. */
export const refuse =
  (source: string) =>
  <R>(bytes: Stream.Stream<Uint8Array, CommandFailure, R>): Stream.Stream<Uint8Array, CommandFailure, R> =>
    Stream.suspend(() => {
      let head = Buffer.alloc(0)
      return Stream.mapEffect(bytes, (chunk) => {
        if (head.length >= headBytes) return Effect.succeed(chunk)
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
        const found = formats.find(({ matches }) => matches(head))
        return found === undefined
          ? Effect.succeed(chunk)
          : usageFailure(`cannot read ${source}: it is ${found.name}. ${found.advice(source)}`)
      })
    })

const startsWith =
  (signature: string, at = 0) =>
  (head: Buffer): boolean =>
    head.toString("latin1", at, at + signature.length) === signature

/**
 * Matches a signature of letters. A text may start with the same letters, so the bytes must also have control
 * characters.
 */
const startsWithBinary = (signature: string, at = 0): ((head: Buffer) => boolean) => {
  const matches = startsWith(signature, at)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish it from text.
  return (head) => matches(head) && /[\u0000-\u0008\u000e-\u001a]/.test(head.toString("latin1"))
}

const saveAsWorkbook = (): string =>
  "Save it as .xlsx, without a password, then give that file with --input FILE.xlsx"

const textHint = (): string => "Give the identifiers as text, one a line"

/** Advises a program that reads the file, or standard input, and writes lines. */
const pipe =
  (what: string, program: string) =>
  (source: string): string =>
    source === Encoding.standardInputName
      ? `${what}: … | ${program} | chemstream …`
      : `${what}: ${program} ${shellWord(source)} | chemstream …`

const unpack = (program: string) => pipe("Unpack it", program)

/** Matches the first characters of a text, without byte-order mark and space before them. */
const startsWithText =
  (pattern: RegExp) =>
  (head: Buffer): boolean =>
    pattern.test(textOf(head).trimStart())

const textOf = (head: Buffer): string => head.toString("utf8").replace(/^\uFEFF/, "")

/** Whether bytes start like a JSON array. A chemical name may start with a bracket: [1,1'-biphenyl]-4-ol. */
export const isJsonArray = (bytes: Uint8Array): boolean => {
  const text = textOf(Buffer.from(bytes.subarray(0, headBytes))).trimStart()
  if (/^\[(\s*["{[]|[ \t]*\r?\n)/.test(text)) return true
  const [line = "", ...others] = text.split(/[\r\n]/, 2)
  return others.length > 0 && line.startsWith("[") && isJson(line)
}

const isJson = (text: string): boolean => Result.isSuccess(Result.try(() => JSON.parse(text)))

/** The largest share of control characters in a text. */
const mostControls = 0.05

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish binary data from text.
const controls = /[\u0000-\u0008\u000e-\u001a]/g

const isBinary = (head: Buffer): boolean =>
  (head.toString("latin1").match(controls)?.length ?? 0) > mostControls * head.length

/** The formats, in the order of comparison. */
const formats: ReadonlyArray<ForeignFormat> = [
  {
    name: "an OpenDocument sheet",
    matches: (head) => startsWith("PK\u0003\u0004")(head) && head.includes("opendocument"),
    advice: saveAsWorkbook
  },
  { name: "a zip file", matches: startsWith("PK\u0003\u0004"), advice: unpack("unzip -p") },
  {
    name: "an old Excel workbook, or one with a password",
    matches: startsWith("\u00d0\u00cf\u0011\u00e0"),
    advice: saveAsWorkbook
  },
  {
    name: "a SQLite database",
    matches: startsWith("SQLite format 3\u0000"),
    advice: () => "End its name in .sqlite, and name its table: --input FILE.sqlite#TABLE"
  },
  {
    name: "a DuckDB database",
    matches: startsWithBinary("DUCK", 8),
    advice: () => "End its name in .duckdb, and name its table: --input FILE.duckdb#TABLE"
  },
  { name: "a picture (PNG)", matches: startsWith("\u0089PNG"), advice: textHint },
  { name: "a picture (JPEG)", matches: startsWith("\u00ff\u00d8\u00ff"), advice: textHint },
  { name: "a picture (GIF)", matches: startsWithBinary("GIF8"), advice: textHint },
  { name: "a picture (TIFF)", matches: startsWith("II*\u0000"), advice: textHint },
  { name: "a picture (TIFF)", matches: startsWith("MM\u0000*"), advice: textHint },
  { name: "a picture (WebP)", matches: startsWithBinary("WEBP", 8), advice: textHint },
  { name: "a PDF", matches: startsWith("%PDF-"), advice: textHint },
  { name: "compressed with bzip2", matches: startsWith("1AY&SY", 4), advice: unpack("bzip2 -dc") },
  { name: "compressed with xz", matches: startsWith("\u00fd7zXZ\u0000"), advice: unpack("xz -dc") },
  { name: "compressed with 7-Zip", matches: startsWith("7z\u00bc\u00af"), advice: unpack("7z x -so") },
  { name: "a tar archive", matches: startsWith("ustar", 257), advice: unpack("tar -xOf") },
  { name: "compressed twice", matches: startsWith("\u001f\u008b\u0008"), advice: unpack("gzip -dc") },
  { name: "compressed twice", matches: startsWith("\u0028\u00b5\u002f\u00fd"), advice: unpack("zstd -dc") },
  ...["UTF-16", "UTF-16LE", "UTF-16BE"].map((encoding) => ({
    name: `in ${encoding}`,
    matches: (head: Buffer) => utf16Of(head) === encoding,
    advice: (source: string) => Encoding.conversionHint(source, encoding)
  })),
  { name: "not text: it holds zero bytes", matches: (head) => head.includes(0), advice: textHint },
  { name: "not text: it holds control characters", matches: isBinary, advice: textHint },
  {
    name: "an HTML page",
    matches: startsWithText(
      /^<(!doctype html|html|head|body|meta|script|table|!--)|^<\?xml[^<]*<(!doctype )?html/i
    ),
    advice: () => "Fetch the file again: this may be the page of a login or of an error"
  },
  { name: "an XML document", matches: startsWithText(/^<(\?xml|[a-z][\w:.-]*[\s/>])/i), advice: textHint },
  {
    name: "a document in rich text (RTF)",
    matches: startsWithText(/^\{\\rtf/),
    advice: () => "Save it as plain text in UTF-8"
  },
  {
    name: "a JSON object of several lines",
    matches: startsWithText(/^\{[ \t]*("(?:[^"\\]|\\.)*"[ \t]*:.*[,[{])?[ \t]*\r?\n\s*["}]/),
    advice: pipe("Give one object a line", "jq -c .")
  },
  {
    name: "a file of structures (SDF or molfile)",
    // The fourth line of a molfile counts its atoms, and names the version.
    matches: (head) => /^(.*\r?\n){3}.*V[23]000[ \t]*\r?$/m.test(textOf(head)),
    advice: pipe("Give the values of a field, one a line", "awk '/^>.*<DTXSID>/ { getline; print }'")
  },
  { name: "a file of spectra (MGF)", matches: startsWithText(/^BEGIN IONS\s/), advice: textHint }
]

/** Detects UTF-16 by its byte-order mark, or by zeros in every other byte. */
const utf16Of = (head: Buffer): string | undefined => {
  if (startsWith("\u00ff\u00fe")(head) || startsWith("\u00fe\u00ff")(head)) return "UTF-16"
  const zeros = [0, 1].map((side) => head.filter((byte, at) => at % 2 === side && byte === 0).length)
  const [even = 0, odd = 0] = zeros
  if (even + odd <= head.length / 4 || (even > 0 && odd > 0)) return undefined
  return even > 0 ? "UTF-16BE" : "UTF-16LE"
}
