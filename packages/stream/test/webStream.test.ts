import { ChemClient } from "@chemstream/client"
import { Details, Ledger, WebStream } from "@chemstream/stream"
import { Layer, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import { collect, record, start, startWithRecords } from "./streamService.ts"

const idOf = (index: number): string => `DTXSID${1_000_000 + index}`

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => idOf(index))

/** Returns a stream that makes each value on demand. */
const readableOf = <A>(values: Iterable<A> | AsyncIterable<A>): ReadableStream<A> => {
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]()
  return new ReadableStream<A>(
    {
      pull: async (controller) => {
        const next = await iterator.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      }
    },
    { highWaterMark: 0 }
  )
}

describe("WebStream.toTransform", () => {
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
    const outcomes = readableOf([idOf(0), idOf(1), "?", idOf(0), idOf(2)]).pipeThrough(
      WebStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 2, ledger })
    )
    const read = (await collect(outcomes)).map(({ _tag, id, line }) => `${_tag} ${id} ${line}`)
    expect(read).toEqual([`Found ${idOf(0)} 1`, `Missing ${idOf(1)} 2`, "Invalid ? 3", `Found ${idOf(2)} 5`])
    expect(ledger).toMatchObject({ read: 5, found: 2, missing: 1, invalid: 1, duplicates: 1 })
  })

  it("uses the client of a layer", async () => {
    await using service = await startWithRecords()
    const client = ChemClient.layer({ ...service.client, apiKey: Redacted.make("key") }).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
    const outcomes = readableOf(idsOf(3)).pipeThrough(WebStream.toTransform(Details.byDtxsid(), { client }))
    expect((await collect(outcomes)).map(({ _tag }) => _tag)).toEqual(["Found", "Found", "Found"])
  })

  it("reads no more of its input than a bounded number ahead of a slow reader", async () => {
    await using service = await startWithRecords()
    const count = 1000
    let written = 0
    const source = async function* () {
      for (; written < count; written++) yield idOf(written)
    }
    const outcomes = readableOf(source()).pipeThrough(
      WebStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 10, concurrency: 2 })
    )
    let read = 0
    let ahead = 0
    for await (const _ of outcomes) {
      read++
      if (read % 100 === 1) await service.waitForQuiet()
      ahead = Math.max(ahead, written - read)
    }
    expect(read).toBe(count)
    // Batches: one being read, two in flight, one settled between, one waiting to be sent, one being gathered.
    expect(ahead).toBeLessThanOrEqual(6 * 10 + 8)
  })

  it("sends nothing until it is read", async () => {
    await using service = await startWithRecords()
    const outcomes = readableOf(idsOf(10)).pipeThrough(
      WebStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 1 })
    )
    await service.waitForQuiet()
    expect(service.requests).toEqual([])
    expect((await collect(outcomes)).length).toBe(10)
  })

  it("interrupts the requests in flight when its reader cancels, and tells the writer", async () => {
    await using service = await start()
    const { readable, writable } = WebStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 1
    })
    const writer = writable.getWriter()
    const reader = readable.getReader()
    const closed = expect(writer.closed).rejects.toThrow("enough")
    const reading = reader.read()
    const writing = Promise.allSettled(idsOf(10).map((id) => writer.write(id)))
    await service.waitForRequests(4)
    await reader.cancel(new Error("enough"))
    expect(await Promise.all(service.requests.map(({ closed }) => closed))).toEqual(
      Array(4).fill("disconnected")
    )
    await closed
    expect(await reading).toEqual({ done: true, value: undefined })
    expect((await writing).some(({ status }) => status === "rejected")).toBe(true)
  })

  it("interrupts the requests in flight when its writer aborts, and tells the reader", async () => {
    await using service = await start()
    const controller = new AbortController()
    const source = new ReadableStream<string>({
      start: (source) => {
        for (const id of idsOf(10)) source.enqueue(id)
      }
    })
    const outcomes = source.pipeThrough(
      WebStream.toTransform(Details.byDtxsid(), { client: service.client, batchSize: 10 }),
      { signal: controller.signal }
    )
    const reading = expect(collect(outcomes)).rejects.toThrow("no longer wanted")
    await service.waitForRequests(1)
    controller.abort(new Error("no longer wanted"))
    await reading
    expect(await service.requests[0]?.closed).toBe("disconnected")
  })

  it("returns every outcome before the error that stops the run, which both sides get", async () => {
    await using service = await start((ids) =>
      ids.includes(idOf(50))
        ? { status: 401, body: "{}" }
        : { status: 200, body: `[${ids.map(record).join(",")}]` }
    )
    const { readable, writable } = WebStream.toTransform(Details.byDtxsid(), {
      client: service.client,
      batchSize: 10,
      concurrency: 1
    })
    const source = expect(readableOf(idsOf(1000)).pipeTo(writable)).rejects.toMatchObject({
      _tag: "Unauthorized"
    })
    const read: Array<string> = []
    const reading = async () => {
      for await (const { id } of readable) read.push(String(id))
    }
    await expect(reading()).rejects.toMatchObject({ _tag: "Unauthorized" })
    expect(read).toEqual(idsOf(50))
    await source
  })

  it("fails with the reason when the client's settings are wrong", async () => {
    const client = { baseUrl: "not an address", apiKey: "key" }
    const outcomes = readableOf(idsOf(1)).pipeThrough(WebStream.toTransform(Details.byDtxsid(), { client }))
    await expect(collect(outcomes)).rejects.toMatchObject({ _tag: "InvalidOption" })
  })
})

describe("WebStream.make", () => {
  it("reads bytes as lines, at any chunk size", async () => {
    const bytes = new TextEncoder().encode("é one\r\n\n# a comment\n二")
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size)
      )
      const texts = readableOf(chunks).pipeThrough(WebStream.make((identifiers) => identifiers))
      expect(await collect(texts)).toEqual([
        { text: "é one", line: 1 },
        { text: "二", line: 4 }
      ])
    }
  })

  it("fails after the earlier outcomes when strings and bytes are mixed", async () => {
    const { readable, writable } = WebStream.make((identifiers) => identifiers)
    const writer = writable.getWriter()
    const writing = Promise.allSettled([writer.write("a"), writer.write(new Uint8Array([98])), writer.closed])
    const reader = readable.getReader()
    expect((await reader.read()).value).toEqual({ text: "a", line: 1 })
    await expect(reader.read()).rejects.toBeInstanceOf(WebStream.InvalidChunk)
    expect((await writing).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"])
  })

  it("stops its input after the run has finished", async () => {
    const first = WebStream.make((identifiers) => Stream.take(identifiers, 1))
    const cancelled = Promise.withResolvers<unknown>()
    const endless = new ReadableStream<string>({
      pull: (controller) => controller.enqueue(idOf(0)),
      cancel: cancelled.resolve
    })
    expect(await collect(endless.pipeThrough(first))).toEqual([{ text: idOf(0), line: 1 }])
    expect(await cancelled.promise).toBeInstanceOf(TypeError)
  })
})

describe("WebStream.toLines", () => {
  it("returns the records as the service sent them, and passes other outcomes to onProblem", async () => {
    // The first batch has a record that was not requested.
    await using service = await start((ids) => ({
      status: 200,
      body: `[${[...ids.filter((id) => id !== idOf(7)), ...(ids.includes(idOf(0)) ? [idOf(99)] : [])]
        .map(record)
        .join(",")}]`
    }))
    const problems: Array<string> = []
    const lines = new Blob([[...idsOf(20), "?"].join("\n")]).stream().pipeThrough(
      WebStream.toLines(Details.byDtxsid(), {
        client: service.client,
        batchSize: 7,
        onProblem: ({ _tag, id }) => problems.push(`${_tag} ${id}`)
      })
    )
    const found = idsOf(20).filter((id) => id !== idOf(7))
    expect(await new Response(lines).text()).toBe(found.map((id) => `${record(id)}\n`).join(""))
    expect(problems).toEqual([`Surplus ${idOf(99)}`, `Missing ${idOf(7)}`, "Invalid ?"])
  })
})
