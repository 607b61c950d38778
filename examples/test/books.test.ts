import { tmpdir } from "node:os"
import { json } from "node:stream/consumers"
import { expect, it } from "vitest"
import { type Ended, listen, runExample } from "./running.ts"

/** ISBNs of made-up books. */
const isbns = Array.from({ length: 120 }, (_, n) => String(9_780_000_000_000 + n))

/** The behaviour of a service of books: the requests that fail, and its books. */
interface Shelf {
  readonly status?: (asked: ReadonlyArray<string>) => number | undefined
  readonly has?: (isbn: string) => boolean
}

const ask = async (lines: ReadonlyArray<string>, shelf: Shelf = {}, key = "a-key") => {
  const batches: Array<ReadonlyArray<string>> = []
  const service = await listen(async (request, response) => {
    const asked = (await json(request)) as ReadonlyArray<string>
    batches.push(asked)
    response.statusCode =
      request.headers.authorization === "Bearer a-key" ? (shelf.status?.(asked) ?? 200) : 401
    const books = asked.filter(shelf.has ?? (() => true)).map((isbn) => ({ title: `Book ${isbn}`, isbn }))
    response.end(JSON.stringify(response.statusCode === 200 ? books.toReversed() : { error: "no" }))
  })
  const ended: Ended = await runExample("books.ts", [], {
    cwd: tmpdir(),
    env: { BOOKS_URL: service.url, BOOKS_KEY: key },
    input: lines.join("\n")
  })
  await service.stop()
  const titles = ended.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).title)
  return { ...ended, titles, sizes: batches.map((batch) => batch.length) }
}

const titlesOf = (list: ReadonlyArray<string>) => list.map((isbn) => `Book ${isbn}`)

it.concurrent("requests fifty at a time, and writes each book once, in the order of the input", async () => {
  const { code, sizes, stderr, titles } = await ask([...isbns, "978-0-00-000000-0"])
  expect(titles).toEqual(titlesOf(isbns))
  expect(sizes.toSorted((a, b) => b - a)).toEqual([50, 50, 20])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})

it.concurrent("reports missing and malformed ISBNs, and requests only the well-formed ones", async () => {
  const { code, sizes, stderr, titles } = await ask(["123", ...isbns.slice(0, 3)], {
    has: (isbn) => isbn !== isbns[1]
  })
  expect(titles).toEqual(titlesOf(["9780000000000", "9780000000002"]))
  expect(stderr).toBe(
    "invalid: 123: 13 digits are wanted\nmissing: 9780000000001: the service does not know 9780000000001\n"
  )
  expect({ code, sizes }).toEqual({ code: 0, sizes: [3] })
})

it.concurrent("halves a batch that is too large, and keeps the smaller size", async () => {
  const { code, sizes, titles } = await ask(isbns, {
    status: (asked) => (asked.length > 30 ? 413 : undefined)
  })
  expect(titles).toEqual(titlesOf(isbns))
  expect(sizes.filter((size) => size > 30).length).toBeLessThan(3)
  expect(code).toBe(0)
})

it.concurrent("fails only the ISBN that makes the service fail", async () => {
  const poison = isbns[77] ?? ""
  const { code, stderr, titles } = await ask(isbns, {
    status: (asked) => (asked.includes(poison) ? 400 : undefined)
  })
  expect(titles).toEqual(titlesOf(isbns.filter((isbn) => isbn !== poison)))
  expect({ code, stderr }).toEqual({ code: 1, stderr: `failed: ${poison}: the service answers 400\n` })
})

it.concurrent("exits with 3 if the key is rejected", async () => {
  const { code, stderr, stdout } = await ask(isbns, {}, "another-key")
  expect({ code, stderr, stdout }).toEqual({ code: 3, stderr: "the service answers 401\n", stdout: "" })
})
