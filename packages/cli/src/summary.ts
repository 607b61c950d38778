/**
 * What a run came to, in words for a person and as JSON for a script.
 */
import { Ledger } from "@chemstream/stream"

/** The JSON summary of `--json-summary`. Times in seconds, `bytes` are those of the answers received. */
export const toJson = (counts: Ledger.Counts, seconds: number): Uint8Array => {
  const { read, found, missing, failed, duplicates, invalid, records, requests, retries, batches, bytes } =
    counts
  const summary = {
    read,
    found,
    missing,
    failed,
    duplicates,
    invalid,
    records,
    requests,
    retries,
    batches,
    bytes,
    seconds
  }
  return new TextEncoder().encode(`${JSON.stringify(summary)}\n`)
}

/** The summary in two or more lines; the first is the law of the ledger with its numbers. */
export const toText = (counts: Ledger.Counts, seconds: number): string => {
  const { read, found, missing, failed, duplicates, invalid } = counts
  const sum = `${count(found)} found + ${count(missing)} missing + ${count(failed)} failed + ${count(duplicates)} duplicates + ${count(invalid)} invalid`
  const holds =
    read === Ledger.accounted(counts) ? `read ${count(read)} = ${sum}` : `read ${count(read)}, so far ${sum}`
  const work = `${counted(counts.records, "record")} in ${counted(counts.batches, "batch", "batches")}, ${counted(counts.requests, "request")} (${counted(counts.retries, "retry", "retries")}), ${bytesText(counts.bytes)} in ${seconds.toFixed(2)} s`
  const notes = [
    counts.suspicious > 0
      ? `${counted(counts.suspicious, "identifier")} asked for although the check digit does not fit (--strict-ids refuses that)`
      : "",
    counts.surplus > 0
      ? `${counted(counts.surplus, "record")} not passed on: not asked for, come twice, or without identifier`
      : ""
  ].filter((note) => note !== "")
  return `${[holds, work, ...notes].join("\n")}\n`
}

/** A number and what it counts. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const count = (value: number): string => value.toLocaleString("en-US")

const bytesText = (bytes: number): string =>
  bytes >= 1e6
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : bytes >= 1e3
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${bytes} B`
