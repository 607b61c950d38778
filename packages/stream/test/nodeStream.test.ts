import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate as turn } from "node:timers/promises"
import { Details, Ledger, type Outcome } from "@chemstream/stream"
import { NodeStream } from "@chemstream/stream/node"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { record, start, startWithRecords } from "./streamService.ts"

type Any = Outcome.Outcome<unknown, { readonly _tag: string }>

const idOf = (index: number): string => `DTXSID${1_000_000 + index}`

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => idOf(index))

const said = ({ _tag, id, line }: Any): string => `${_tag} ${id} ${line}`

/** Returns the chunks until the stream ends or fails, and its error. */
const readAll = async (stream: AsyncIterable<Any>) => {
  const read: Array<string> = []
  try {
    for await (const outcome of stream) read.push(said(outcome))
  } catch (error) {
    return { read, error }
  }
  return { read, error: undefined }
}

describe("NodeStream.toTransform", () => {
  it("returns one outcome for each identifier, in the order written, and the ledger adds up", async () => {
    await using service = await start((ids) => ({
      status: 200,
      body: `[${ids
        .filter((id) => id !== idOf(1))
        .map(record)
        .reverse()
        .join(",")}]`
    }))
    const ledger = Ledger.make()
    const outcomes = Readable.from([idOf(0), idOf(1), "?", idOf(0), idOf(2)]).compose(
      NodeStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 2, ledger })
    )
    expect(await readAll(outcomes)).toEqual({
      read: [`Found ${idOf(0)} 1`, `Missing ${idOf(1)} 2`, "Invalid ? 3", `Found ${idOf(2)} 5`],
      error: undefined
    })
    expect(ledger).toMatchObject({ read: 5, found: 2, missing: 1, invalid: 1, duplicates: 1 })
  })

  it("finishes without an outcome when nothing is written", async () => {
    await using service = await startWithRecords()
    const stream = NodeStream.toTransform(Details.byDtxsid(), { client: service.client })
    expect(await Readable.from([]).compose(stream).toArray()).toEqual([])
    expect(service.requests).toEqual([])
  })

  it("reads no more of its input than a bounded number ahead of a slow reader", async () => {
    await using service = await startWithRecords()
    const count = 1000
    let written = 0
    const source = async function* () {
      for (; written < count; written++) yield idOf(written)
    }
    const stream = NodeStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 10,
      concurrency: 2,
      writableHighWaterMark: 4,
      readableHighWaterMark: 2
    })
    let read = 0
    let ahead = 0
    const reader = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write: async (_, __, done) => {
        read++
        if (read % 100 === 1) await service.waitForQuiet()
        ahead = Math.max(ahead, written - read)
        done()
      }
    })
    await pipeline(source, stream, reader)
    expect(read).toBe(count)
    // Batches: one being read, two in flight, one settled between, one waiting to be sent, one being gathered.
    expect(ahead).toBeLessThanOrEqual(6 * 10 + 4 * 4 + 2 + 16)
  })

  it("sends no more requests while none finishes, and continues when they do", async () => {
    await using service = await start()
    let written = 0
    const source = async function* () {
      for (; written < 1000; written++) yield idOf(written)
    }
    const stream = NodeStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 10,
      concurrency: 2
    })
    const done = readAll(Readable.from(source()).compose(stream))
    for (let answered = 0; answered < 100; answered += 2) {
      await service.waitForRequests(answered + 2)
      await service.waitForQuiet()
      expect(service.requests.length).toBe(answered + 2)
      expect(written).toBeLessThanOrEqual((answered + 6) * 10 + 64)
      service.requests[answered + 1]?.respond()
      service.requests[answered]?.respond()
    }
    expect((await done).read).toEqual(idsOf(1000).map((id, index) => `Found ${id} ${index + 1}`))
  })

  it("interrupts the requests in flight when it is destroyed", async () => {
    await using service = await start()
    const stream = NodeStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 1,
      concurrency: 3
    })
    const done = readAll(Readable.from(idsOf(10)).compose(stream))
    await service.waitForRequests(3)
    stream.destroy(new Error("enough"))
    expect(await Promise.all(service.requests.map(({ closed }) => closed))).toEqual([
      "disconnected",
      "disconnected",
      "disconnected"
    ])
    expect((await done).error).toMatchObject({ message: "enough" })
    expect(service.requests.length).toBe(3)
  })

  it("interrupts the requests in flight when the pipeline's signal aborts", async () => {
    await using service = await start()
    const controller = new AbortController()
    const stream = NodeStream.toTransform(Details.byDtxsid(), { client: service.client })
    const sink = new Writable({ objectMode: true, write: (_, __, done) => done() })
    const done = pipeline(Readable.from(idsOf(10)), stream, sink, { signal: controller.signal })
    await service.waitForRequests(1)
    controller.abort()
    await expect(done).rejects.toMatchObject({ name: "AbortError" })
    expect(await service.requests[0]?.closed).toBe("disconnected")
  })

  it("interrupts the requests in flight when the input fails, and the pipeline has the input's error", async () => {
    await using service = await start()
    const source = async function* () {
      yield idOf(0)
      await service.waitForRequests(1)
      throw new Error("the input broke")
    }
    const stream = NodeStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 1 })
    const sink = new Writable({ objectMode: true, write: (_, __, done) => done() })
    await expect(pipeline(source, stream, sink)).rejects.toThrow("the input broke")
    expect(await service.requests[0]?.closed).toBe("disconnected")
  })

  it("returns every outcome before the error that stops the run", async () => {
    await using service = await start((ids) =>
      ids.includes(idOf(50))
        ? { status: 401, body: "{}" }
        : { status: 200, body: `[${ids.map(record).join(",")}]` }
    )
    const ledger = Ledger.make()
    const stream = NodeStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 10,
      concurrency: 1,
      ledger
    })
    const { error, read } = await readAll(Readable.from(idsOf(1000)).compose(stream))
    expect(error).toMatchObject({ _tag: "Unauthorized" })
    expect(read).toEqual(idsOf(50).map((id, index) => `Found ${id} ${index + 1}`))
    expect(ledger.found).toBe(50)
  })

  it("fails with the reason when the client's settings are wrong", async () => {
    const client = { baseUrl: "not an address", apiKey: "key" }
    const { error } = await readAll(
      Readable.from(idsOf(1)).compose(NodeStream.toTransform(Details.byDtxsid(), { client }))
    )
    expect(error).toMatchObject({ _tag: "InvalidOption" })
  })

  it("counts the identifiers in the caller's set as duplicates", async () => {
    await using service = await startWithRecords()
    const ledger = Ledger.make()
    const ids = idsOf(500)
    const known = new Set(ids.slice(0, 100))
    const stream = NodeStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      dedupe: { add: (id) => known.size < known.add(id).size },
      ledger
    })
    await Readable.from([...ids, ...ids])
      .compose(stream)
      .toArray()
    expect(ledger).toMatchObject({ read: 1000, found: 400, duplicates: 600 })
  })
})

describe("NodeStream.make", () => {
  it.each([1, 16, 1000])(
    "passes everything before an error to a slow reader, with a high-water mark of %i",
    async (mark) => {
      const failing = Promise.withResolvers<void>()
      const fail = Stream.fromEffect(
        Effect.suspend(() => {
          failing.resolve()
          return Effect.fail(new Error("the run broke"))
        })
      )
      const stream = NodeStream.make((identifiers) => Stream.concat(Stream.take(identifiers, 50), fail), {
        readableHighWaterMark: mark
      })
      let read = 0
      const slowly = async (values: AsyncIterable<unknown>): Promise<void> => {
        for await (const _ of values) {
          read++
          if (mark > 50) await failing.promise
          await readFile(import.meta.filename)
        }
      }
      await expect(pipeline(Readable.from(idsOf(100)), stream, slowly)).rejects.toThrow("the run broke")
      expect(read).toBe(50)
    }
  )
})

describe("the input of a NodeStream", () => {
  const texts = () =>
    NodeStream.make((identifiers) => Stream.map(identifiers, ({ line, text }) => `${line} ${text}`))

  it("is read as lines when it is bytes, at any chunk size", async () => {
    const bytes = Buffer.from("\uFEFFé one\r\n\n# a comment\n 二 \n\u{1F9EA}")
    const read = async (size: number): Promise<ReadonlyArray<string>> => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size)
      )
      return Readable.from(chunks).compose(texts()).toArray()
    }
    for (let size = 1; size <= bytes.length; size++) {
      expect(await read(size)).toEqual(["1 é one", "4 二", "5 \u{1F9EA}"])
    }
  })

  it("is an identifier when it is a string, with any content", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string().filter((text) => !/[\r\n]/.test(text))), async (strings) => {
        const read = await Readable.from(strings).compose(texts()).toArray()
        expect(read).toEqual(strings.map((text, index) => `${index + 1} ${text}`))
      }),
      { numRuns: 30 }
    )
  })

  it.each([
    ["a string of several lines", ["a", "b", "c\nd"], /with several lines/],
    ["bytes among strings", ["a", "b", Buffer.from("c")], /bytes were written among strings/],
    ["a number", ["a", "b", 3], /not as a value of type number/]
  ])("fails the run after the earlier outcomes when it is %s", async (_, chunks, message) => {
    const stream = texts()
    for (const chunk of chunks) stream.write(chunk as string)
    stream.end()
    const read: Array<string> = []
    const reading = async () => {
      for await (const text of stream) read.push(text)
    }
    await expect(reading()).rejects.toMatchObject({
      _tag: "InvalidChunk",
      message: expect.stringMatching(message)
    })
    expect(read).toEqual(["1 a", "2 b"])
  })

  it("is refused when the first chunk is neither a string nor bytes", async () => {
    await expect(Readable.from([{}]).compose(texts()).toArray()).rejects.toMatchObject({
      _tag: "InvalidChunk"
    })
  })

  it("is dropped when the run has finished", async () => {
    const first = NodeStream.make((identifiers) => Stream.take(identifiers, 1))
    const read: Array<unknown> = []
    const sink = new Writable({ objectMode: true, write: (chunk, _, done) => done(void read.push(chunk)) })
    await pipeline(Readable.from(idsOf(100)), first, sink)
    expect(read).toEqual([{ text: idOf(0), line: 1 }])
  })
})

describe("NodeStream.toLines", () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "chemstream-test-"))
  })

  afterEach(() => rm(folder, { recursive: true }))

  it("refuses settings without onProblem, which a program without types can pass", () => {
    expect(() => NodeStream.toLines(Details.byDtxsid(), {} as never)).toThrow(
      "The option onProblem is missing. Give a function."
    )
  })

  it("makes a file of records, as the service sent them, from a file of identifiers", async () => {
    await using service = await start((ids) => ({
      status: 200,
      body: `[${ids
        .filter((id) => id !== idOf(7))
        .map(record)
        .join(",")}]`
    }))
    const [input, output] = [join(folder, "ids.txt"), join(folder, "out.ndjson")]
    await writeFile(input, [...idsOf(100), "?"].join("\n"))
    const problems: Array<string> = []
    await pipeline(
      createReadStream(input, { highWaterMark: 100 }),
      NodeStream.toLines(Details.byDtxsid(), {
        client: service.client,
        batchSize: 7,
        onProblem: (problem) => problems.push(said(problem))
      }),
      createWriteStream(output)
    )
    const found = idsOf(100).filter((id) => id !== idOf(7))
    expect(await readFile(output, "utf8")).toBe(found.map((id) => `${record(id)}\n`).join(""))
    expect(problems).toEqual([`Missing ${idOf(7)} 8`, "Invalid ? 101"])
  })

  it("waits for onProblem before it passes the next outcome", async () => {
    await using service = await start(() => ({ status: 200, body: "[]" }))
    let open = 0
    let most = 0
    const stream = NodeStream.toLines(Details.byDtxsid(), {
      client: service.client,
      batchSize: 5,
      onProblem: async () => {
        most = Math.max(most, ++open)
        await turn()
        open--
      }
    })
    expect(await Readable.from(idsOf(40)).compose(stream).toArray()).toEqual([])
    expect({ open, most }).toEqual({ open: 0, most: 1 })
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("no room for problems")
      }
    ],
    ["rejects", () => Promise.reject(new Error("no room for problems"))]
  ])("fails with the error of an onProblem that %s", async (_, onProblem) => {
    await using service = await start(() => ({ status: 200, body: "[]" }))
    const stream = NodeStream.toLines(Details.byDtxsid(), { client: service.client, onProblem })
    await expect(Readable.from(idsOf(1)).compose(stream).toArray()).rejects.toThrow("no room for problems")
  })
})
