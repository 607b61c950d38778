/**
 * Reads format and compression from the name of a file: `hits.csv.gz` is gzipped CSV.
 *
 * It opens no file. `Ndjson`, `RawArray`, `JsonArray` and `Csv` read and write formats; so do `Parquet`, `Arrow` and
 * `Compression` of the Node entry. `FileFormat` there writes any format.
 */
import { argument } from "../internal/argumentChecks.ts"

/** The form of records: lines of JSON, one JSON array, comma- or tab-separated rows, Parquet, or Arrow IPC. */
export type Kind = "ndjson" | "json" | "csv" | "tsv" | "parquet" | "arrow"

/** The compression of a file. */
export type Compression = "gzip" | "zstd"

/** The format of a name. Undefined: the name does not say. */
export interface Format {
  readonly kind: Kind | undefined
  readonly compression: Compression | undefined
}

/** The formats by the extensions of their files. */
export const byExtension: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["json", "json"],
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["tab", "tsv"],
  ["parquet", "parquet"],
  ["arrow", "arrow"]
])

/** The formats with columns. */
export const tables: ReadonlySet<Kind | undefined> = new Set<Kind>(["csv", "tsv", "parquet", "arrow"])

const compressions: ReadonlyMap<string, Compression> = new Map<string, Compression>([
  ["gz", "gzip"],
  ["gzip", "gzip"],
  ["zst", "zstd"],
  ["zstd", "zstd"]
])

/**
 * Returns the format of a path by its last extension, or the last two if the last is a compression, in upper or lower
 * case.
 *
 * | extension                     | means                   |
 * | ----------------------------- | ----------------------- |
 * | `.ndjson`, `.jsonl`           | `ndjson`                |
 * | `.json`                       | `json`, one array       |
 * | `.csv`                        | `csv`                   |
 * | `.tsv`, `.tab`                | `tsv`                   |
 * | `.parquet`                    | `parquet`               |
 * | `.arrow`                      | `arrow`                 |
 * | `.gz`, `.gzip`; `.zst`, `.zstd` | compression, after any  |
 *
 * @example
 * ```ts
 * import { Format } from "@chemstream/ndjson"
 *
 * Format.ofPath("out/hits.csv.gz") // => { kind: "csv", compression: "gzip" }
 * Format.ofPath("hits.parquet") // => { kind: "parquet", compression: undefined }
 * Format.ofPath("hits.zst") // => { kind: undefined, compression: "zstd" }
 * Format.ofPath("hits") // => { kind: undefined, compression: undefined }
 * ```
 */
export const ofPath = (path: string): Format => {
  // The first part is the name itself, also for a hidden file (`.csv`).
  const [, ...extensions] = argument("path", "a text", path)
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/^\.+/, "")
    .toLowerCase()
    .split(".")
  const compression = compressions.get(extensions.at(-1) ?? "")
  const kind = byExtension.get(extensions.at(compression === undefined ? -1 : -2) ?? "")
  return { kind, compression }
}

/**
 * Returns the extension of a path that names neither a format nor a compression, to refuse it before a file is written. Undefined: there
 * is none.
 *
 * @example
 * ```ts
 * import { Format } from "@chemstream/ndjson"
 *
 * Format.unknownExtension("out/hits.doc.gz") // => ".doc"
 * Format.unknownExtension("hits.csv.gz") // => undefined
 * Format.unknownExtension("hits") // => undefined
 * ```
 */
export const unknownExtension = (path: string): string | undefined => {
  const { compression, kind } = ofPath(path)
  const [, extension] =
    /[^\\/.](\.[^.\\/]+)$/.exec(compression === undefined ? path : path.replace(/\.[^.]+$/, "")) ?? []
  return kind === undefined ? extension : undefined
}

/**
 * Whether a path can name a file of lines of JSON: its extension is not that of another format or of a workbook.
 *
 * @example
 * ```ts
 * import { Format } from "@chemstream/ndjson"
 *
 * Format.isNdjson("problems.ndjson.gz") // => true
 * Format.isNdjson("problems.log") // => true
 * Format.isNdjson("problems.csv") // => false
 * Format.isNdjson("problems.xlsx") // => false
 * ```
 */
export const isNdjson = (path: string): boolean =>
  (ofPath(path).kind ?? "ndjson") === "ndjson" && unknownExtension(path)?.toLowerCase() !== ".xlsx"
