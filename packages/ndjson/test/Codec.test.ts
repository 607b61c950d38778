import { Codec, type Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Result, Stream } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { bytesOf, everyCut, outcome } from "./chunks.ts"

const INPUT = '\ufeff{"µ":"𝄞"}\r\n\n[1,\n"\\ud83d\\ude00"\n2'

// What `Ndjson.decodeResults` makes of the input: every face has to give the same.
const EXPECTED = [{ µ: "𝄞" }, "invalid-json at 3", "😀", 2]

const shown = (result: Result.Result<unknown, Ndjson.NdjsonError>) =>
  Result.isSuccess(result) ? result.success : `${result.failure.reason} at ${result.failure.line}`

const chunksOf = (cut: ReadonlyArray<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of cut) controller.enqueue(chunk)
      controller.close()
    }
  })

/** Items and the error of an async iterable. */
const collected = async <A>(items: AsyncIterable<A>): Promise<{ items: Array<A>; error?: unknown }> => {
  const out: Array<A> = []
  try {
    for await (const item of items) out.push(item)
    return { items: out }
  } catch (error) {
    return { items: out, error }
  }
}

async function* arriving<A>(items: Iterable<A>): AsyncGenerator<A> {
  yield* items
}

describe("the faces of a codec", () => {
  const cuts = everyCut(bytesOf(INPUT))

  it("give the same on an iterable, wherever the chunks end", () => {
    for (const cut of cuts)
      expect([...Codec.iterate(Codec.decodeResults(), cut)].map(shown)).toEqual(EXPECTED)
  })

  it("give the same on an async iterable, wherever the chunks end", async () => {
    for (const cut of cuts) {
      const { items } = await collected(Codec.iterateAsync(Codec.decodeResults(), arriving(cut)))
      expect(items.map(shown)).toEqual(EXPECTED)
    }
  })

  it("give the same on web streams, wherever the chunks end", async () => {
    for (const cut of cuts) {
      const { items } = await collected(chunksOf(cut).pipeThrough(Codec.webStreams(Codec.decodeResults())))
      expect(items.map(shown)).toEqual(EXPECTED)
    }
  })

  it("give the same on an Effect channel and stream, wherever the chunks end", () => {
    for (const cut of cuts) {
      const source = Stream.fromArray(cut)
      const channel = source.pipe(Stream.pipeThroughChannel(Codec.channel(Codec.decodeResults())))
      expect(outcome(channel).items.map(shown)).toEqual(EXPECTED)
      expect(outcome(source.pipe(Codec.stream(Codec.decodeResults()))).items.map(shown)).toEqual(EXPECTED)
    }
  })

  it("give what was complete, and then the error", async () => {
    const chunks = [bytesOf("1\n2\nnope\n3\n")]
    const error = { _tag: "NdjsonError", line: 3 }
    const iterated: Array<unknown> = []
    expect(() => {
      for (const value of Codec.iterate(Codec.decode(), chunks)) iterated.push(value)
    }).toThrow(expect.objectContaining(error))
    expect(iterated).toEqual([1, 2])
    expect(await collected(Codec.iterateAsync(Codec.decode(), arriving(chunks)))).toMatchObject({
      items: [1, 2],
      error
    })
    const web = chunksOf(chunks).pipeThrough(Codec.webStreams(Codec.decode()))
    expect(await collected(web)).toMatchObject({ items: [1, 2], error })
  })

  it("pass an error of the source on", async () => {
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("gone"))
    })
    const { error } = await collected(source.pipeThrough(Codec.webStreams(Codec.decode())))
    expect(error).toEqual(new Error("gone"))
  })

  it("ask for no more input than is read", async () => {
    let asked = 0
    async function* endless() {
      for (;;) {
        asked++
        yield bytesOf("1\n")
      }
    }
    for await (const value of Codec.iterateAsync(Codec.decode(), endless())) {
      expect(value).toBe(1)
      if (asked === 3) break
    }
    expect(asked).toBe(3)

    let pulled = 0
    const source = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(bytesOf(`${++pulled}\n`)) },
      { highWaterMark: 0 }
    )
    const reader = source.pipeThrough(Codec.webStreams(Codec.decode())).getReader()
    for (let n = 1; n <= 100; n++) expect(await reader.read()).toEqual({ done: false, value: n })
    // One write may be under way, and one wait to be.
    expect(pulled).toBeLessThanOrEqual(102)
    await reader.cancel()
  })

  it("stop the source when they are stopped", async () => {
    let cancelled: unknown
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf("1\n")),
      cancel: (reason) => {
        cancelled = reason
      }
    })
    const reader = source.pipeThrough(Codec.webStreams(Codec.decode())).getReader()
    await reader.read()
    await reader.cancel("enough")
    await expect.poll(() => cancelled).toBe("enough")
  })

  it("write many lines at once where they are at hand, and none later than its value where they are not", async () => {
    const values = Array.from({ length: 20_000 }, (_, n) => ({ n }))
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join("")
    const pieces = [...Codec.iterate(Codec.encode(), values)]
    expect(Buffer.concat(pieces).toString()).toBe(text)
    expect(pieces.length).toBe(Math.ceil(text.length / 65_536))
    const { items } = await collected(Codec.iterateAsync(Codec.encode(), arriving([1, 2])))
    expect(items.map((bytes) => new TextDecoder().decode(bytes))).toEqual(["1\n", "2\n"])
  })

  it("cut arrays and write raw lines", async () => {
    const body = new Response('[{"m": 3850.0},\n 1e2]').body as ReadableStream<Uint8Array>
    const lines = body
      .pipeThrough(Codec.webStreams(Codec.decodeArray()))
      .pipeThrough(Codec.webStreams(Codec.encodeRaw()))
    expect(await new Response(lines).text()).toBe('{"m": 3850.0}\n1e2\n')
  })

  it("start anew with each run", () => {
    const codec = Codec.decode()
    const first = Codec.iterate(codec, [bytesOf("1\n2"), bytesOf("2\n")])
    expect(first.next().value).toBe(1)
    expect([...Codec.iterate(codec, [bytesOf("7\n8")])]).toEqual([7, 8])
    expect([...first]).toEqual([22])
  })
})

describe("types of codecs", () => {
  it("follow the policy", () => {
    expectTypeOf(Codec.decode()).toEqualTypeOf<Codec.Codec<Uint8Array, unknown, Ndjson.NdjsonError>>()
    expectTypeOf(Codec.decodeResults()).toEqualTypeOf<
      Codec.Codec<Uint8Array, Result.Result<unknown, Ndjson.NdjsonError>, never>
    >()
    expectTypeOf(Codec.encodeRaw()).toEqualTypeOf<Codec.Codec<RawRecord.RawRecord, Uint8Array, never>>()
  })
})
