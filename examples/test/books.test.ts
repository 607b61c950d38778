import { tmpdir } from "node:os"
import { json } from "node:stream/consumers"
import { expect, it } from "vitest"
import { listen, type ProcessResult, runExample } from "./running.ts"

/** ISBNs of made-up books. */
const isbns = Array.from({ length: 120 }, (_, n) => String(9_780_000_000_000 + n))

/** The behaviour of a service of books: the status of a request, and its books. */
interface BookService {
  readonly status?: (batch: ReadonlyArray<string>) => number | undefined
  readonly has?: (isbn: string) => boolean
}

const lookUp = async (lines: ReadonlyArray<string>, books: BookService = {}, key = "a-key") => {
  const batches: Array<ReadonlyArray<string>> = []
  const service = await listen(async (request, response) => {
    const batch = (await json(request)) as ReadonlyArray<string>
    batches.push(batch)
    response.statusCode =
      request.headers.authorization === "Bearer a-key" ? (books.status?.(batch) ?? 200) : 401
    const found = batch.filter(books.has ?? (() => true)).map((isbn) => ({ title: `Book ${isbn}`, isbn }))
    response.end(JSON.stringify(response.statusCode === 200 ? found.toReversed() : { error: "no" }))
  })
  const result: ProcessResult = await runExample("books.ts", [], {
    cwd: tmpdir(),
    env: { BOOKS_URL: service.url, BOOKS_KEY: key },
    input: lines.join("\n")
  })
  await service.stop()
  const titles = result.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).title)
  return { ...result, titles, sizes: batches.map((batch) => batch.length) }
}

const titlesOf = (list: ReadonlyArray<string>) => list.map((isbn) => `Book ${isbn}`)

it.concurrent("requests fifty at a time, and writes each book once, in the order of the input", async () => {
  const { code, sizes, stderr, titles } = await lookUp([...isbns, "978-0-00-000000-0"])
  expect(titles).toEqual(titlesOf(isbns))
  expect(sizes.toSorted((a, b) => b - a)).toEqual([50, 50, 20])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})

it.concurrent("reports missing and malformed ISBNs, and requests only the well-formed ones", async () => {
  const { code, sizes, stderr, titles } = await lookUp(["123", ...isbns.slice(0, 3)], {
    has: (isbn) => isbn !== isbns[1]
  })
  expect(titles).toEqual(titlesOf(["9780000000000", "9780000000002"]))
  expect(stderr).toBe(
    "invalid: 123: an ISBN has 13 digits\nmissing: 9780000000001: the service does not know 9780000000001\n"
  )
  expect({ code, sizes }).toEqual({ code: 0, sizes: [3] })
})

it.concurrent("halves a batch that is too large, and keeps the smaller size", async () => {
  const { code, sizes, titles } = await lookUp(isbns, {
    status: (batch) => (batch.length > 30 ? 413 : undefined)
  })
  expect(titles).toEqual(titlesOf(isbns))
  expect(sizes.filter((size) => size > 30).length).toBeLessThan(3)
  expect(code).toBe(0)
})

it.concurrent("fails only the ISBN that makes the service fail", async () => {
  const bad = isbns[77] ?? ""
  const { code, stderr, titles } = await lookUp(isbns, {
    status: (batch) => (batch.includes(bad) ? 400 : undefined)
  })
  expect(titles).toEqual(titlesOf(isbns.filter((isbn) => isbn !== bad)))
  expect({ code, stderr }).toEqual({ code: 1, stderr: `failed: ${bad}: the service responded with 400\n` })
})

it.concurrent("exits with 3 if the key is rejected", async () => {
  const { code, stderr, stdout } = await lookUp(isbns, {}, "another-key")
  expect({ code, stderr, stdout }).toEqual({
    code: 3,
    stderr: "the service responded with 401\n",
    stdout: ""
  })
})
