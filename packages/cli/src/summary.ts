/**
 * What a run came to, in words for a person and as JSON for a script.
 */
import { Ledger } from "@chemstream/stream"

/** The JSON summary of `--json-summary`. Times in seconds, `bytes` are those of the answers received. */
export const toJson = (counts: Ledger.Counts, seconds: number): string => {
  const { read, found, missing, failed, duplicates, invalid, records, requests, retries, batches, bytes } =
    counts
  return `${JSON.stringify({
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
  })}\n`
}

/** The summary in two or more lines; the first is the law of the ledger with its numbers. */
export const toText = (counts: Ledger.Counts, seconds: number): string => {
  const { read, found, missing, failed, duplicates, invalid } = counts
  const sum = `${count(found)} found + ${count(missing)} missing + ${count(failed)} failed + ${count(duplicates)} duplicates + ${count(invalid)} invalid`
  const holds =
    read === Ledger.accounted(counts) ? `read ${count(read)} = ${sum}` : `read ${count(read)}, so far ${sum}`
  const work = `${count(counts.records)} records in ${count(counts.batches)} batches, ${count(counts.requests)} requests (${count(counts.retries)} retries), ${bytesText(counts.bytes)} in ${seconds.toFixed(2)} s`
  const notes = [
    counts.suspicious > 0
      ? `${count(counts.suspicious)} identifiers were asked for although their check digit does not fit (--strict-ids refuses them)`
      : "",
    counts.surplus > 0
      ? `${count(counts.surplus)} records came that nobody asked for, or came twice: not passed on`
      : ""
  ].filter((note) => note !== "")
  return `${[holds, work, ...notes].join("\n")}\n`
}

export const count = (value: number): string => value.toLocaleString("en-US")

const bytesText = (bytes: number): string =>
  bytes >= 1e6
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : bytes >= 1e3
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${bytes} B`
