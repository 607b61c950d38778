/**
 * Which format a file has, and how it is compressed, as its name says: `hits.csv.gz` is CSV, gzipped.
 *
 * Only names: nothing is opened. Reading and writing each format is the sibling's of its name (`Ndjson`, `RawArray` and
 * `JsonArray`, `Csv`; `Parquet`, `Arrow` and `Compression` of the Node entry), all of them at once `FileFormat`'s there.
 */

/**
 * How records are written down: a line of JSON each, the elements of one JSON array, comma- or tab-separated rows, or
 * columns (Parquet files, Arrow IPC files).
 */
export type Kind = "ndjson" | "json" | "csv" | "tsv" | "parquet" | "arrow"

/** How the bytes of a file are compressed. */
export type Compression = "gzip" | "zstd"

/** What a name says; `undefined` for what it does not say. */
export interface Format {
  readonly kind: Kind | undefined
  readonly compression: Compression | undefined
}

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["json", "json"],
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["tab", "tsv"],
  ["parquet", "parquet"],
  ["arrow", "arrow"]
])

const compressions: ReadonlyMap<string, Compression> = new Map<string, Compression>([
  ["gz", "gzip"],
  ["gzip", "gzip"],
  ["zst", "zstd"],
  ["zstd", "zstd"]
])

/**
 * The format of a path, by its last extension, or the last two where the last is a compression; in any case of letters.
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
  // The first part is the name itself, also that of a hidden file (`.csv`).
  const [, ...extensions] = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/^\.+/, "")
    .toLowerCase()
    .split(".")
  const compression = compressions.get(extensions.at(-1) ?? "")
  const kind = kinds.get(extensions.at(compression === undefined ? -1 : -2) ?? "")
  return { kind, compression }
}
