/**
 * The machinery under chemstream for a service that has nothing to do with chemistry: ISBNs in, books out as NDJSON.
 * The service of this example takes a POST of an array of ISBNs and answers with the books it has, in any order.
 *
 *   node examples/books.ts < isbns.txt > books.ndjson
 *
 * BOOKS_URL and BOOKS_KEY say which service. Exit code 1: something failed; 3: key refused.
 */
import { InvalidIdentifier } from "@chemstream/api"
import { Ndjson } from "@chemstream/ndjson"
import { BatchCalls, Identifiers, Ledger, Outcome } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Result, Stdio, Stream } from "effect"

const { BOOKS_KEY, BOOKS_URL = "" } = process.env
const headers = { authorization: `Bearer ${BOOKS_KEY}`, "content-type": "application/json" }

const parse = (value: string) => {
  const isbn = value.replaceAll("-", "")
  if (/^\d{13}$/.test(isbn)) return Result.succeed(isbn)
  const why = { identifier: "ISBN", reason: "malformed", message: "13 digits are wanted" } as const
  return Result.fail(new InvalidIdentifier.InvalidIdentifier({ value, ...why }))
}

const ask = async (isbns: ReadonlyArray<string>) => {
  const response = await fetch(BOOKS_URL, { method: "POST", headers, body: JSON.stringify(isbns) })
  if (!response.ok) throw new Error(`the service answers ${response.status}`, { cause: response.status })
  const books: Array<{ readonly isbn: string }> = await response.json()
  return { records: books.map((record) => ({ key: record.isbn, record })) }
}

// A refused key ends the run, too large a batch is halved, and in one with a culprit (400) that is searched for.
const judge = ({ cause }: Error) =>
  cause === 401 ? "end" : cause === 413 ? "halve" : cause === 400 ? "isolate" : "fail"

const program = Effect.flatMap(Stdio.Stdio, ({ stdin, stdout }) =>
  BatchCalls.outcomes(Identifiers.fromBytes(stdin), {
    parse,
    call: (isbns) => Effect.tryPromise({ try: () => ask(isbns), catch: (error) => error as Error }),
    judge,
    ...{ size: 50, concurrency: 2, ordered: true, dedupe: true, ledger: Ledger.make() }
  }).pipe(
    Stream.mapEffect((outcome) =>
      Effect.sync(() => {
        if (outcome._tag === "Found") return outcome.records
        if (outcome._tag === "Failed") process.exitCode = 1
        console.error(Outcome.describe(outcome))
        return []
      })
    ),
    Stream.flattenIterable,
    Ndjson.encode(),
    Stream.run(stdout())
  )
)

await Effect.runPromise(Effect.provide(program, NodeServices.layer)).catch((error) => {
  console.error(error.message)
  process.exitCode = error.cause === 401 ? 3 : 1
})
