/**
 * Uses the batching core for a service of books: reads ISBNs, and writes books as NDJSON.
 * The service takes a POST with an array of ISBNs, and returns its books in any order.
 *
 *   node examples/books.ts < isbns.txt > books.ndjson
 *
 * A rejected key (401) stops the run. A batch that is too large (413) is halved, and any other failed batch is bisected.
 * A run waits after a 429.
 * BOOKS_URL and BOOKS_KEY set the service. Exit code 1: something failed; 3: key rejected.
 */
import { Batch, Outcome } from "@chemstream/batch"
import { Effect, Result, Stream } from "effect"

const { BOOKS_KEY, BOOKS_URL = "" } = process.env
const headers = { authorization: `Bearer ${BOOKS_KEY}`, "content-type": "application/json" }

const key = (line: string) =>
  /^(\d-?){13}$/.test(line) ? line.replaceAll("-", "") : Result.fail("an ISBN has 13 digits")
const call = async (isbns: ReadonlyArray<string>, { signal }: Batch.CallContext) => {
  const response = await fetch(BOOKS_URL, { method: "POST", headers, body: JSON.stringify(isbns), signal })
  if (!response.ok) {
    const { status } = response
    throw Object.assign(new Error(`the service responded with ${status}`), { status })
  }
  const books: Array<{ readonly isbn: string }> = await response.json()
  return { records: books.map((record) => ({ key: record.isbn, record })) }
}
const classify = ({ status }: { readonly status?: number }) =>
  status === 401 ? "stop" : status === 413 ? "halve" : "isolate"

const input = Stream.fromAsyncIterable(process.stdin, (error) => error as Error)
const isbns = Stream.splitLines(Stream.decodeText(input))
await Stream.runForEach(Batch.outcomes(isbns, { key, call, classify, size: 50 }), (outcome) => {
  if (outcome._tag === "Failed") process.exitCode = 1
  if (outcome._tag !== "Found") return Effect.sync(() => console.error(Outcome.describe(outcome)))
  return Effect.sync(() => console.log(outcome.records.map((book) => JSON.stringify(book)).join("\n")))
})
  .pipe(Effect.runPromise)
  .catch((error) => {
    console.error(error.message)
    process.exitCode = error.status === 401 ? 3 : 1
  })
