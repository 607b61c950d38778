import { Worker } from "node:worker_threads"
import * as ndjson from "@chemstream/ndjson"
import { describe, expect, it } from "vitest"

/** Reads texts in all ways that search bytes or decode them. It refers to nothing outside, so that a worker can run it. */
const readings = async (
  { AsyncIteration, Ndjson, RawArray, RawRecord }: typeof ndjson,
  texts: ReadonlyArray<string>
): Promise<ReadonlyArray<unknown>> => {
  const show = (result: unknown): unknown => JSON.parse(JSON.stringify(result ?? null))
  const found: Array<unknown> = [typeof globalThis.Buffer]
  for (const text of texts) {
    const record = RawRecord.fromText(text)
    found.push(
      show(RawRecord.parse(record)),
      show(RawRecord.entries(record)),
      show(RawRecord.value(record, "id" as never)),
      ["id", "ab", '"', "µ\\u00b5"].map((part) => RawRecord.occurrences(record, part)),
      show(RawArray.cut(new TextEncoder().encode(`[${text}, ${text}]`)))
    )
    const bytes = new TextEncoder().encode(`${text}\n\n${text}\n`)
    for (const chunks of [[bytes], [bytes.subarray(0, 9), bytes.subarray(9)]])
      for await (const result of AsyncIteration.make(Ndjson.decodeResults())(chunks)) found.push(show(result))
  }
  return found
}

/** Runs `readings` in a thread whose modules are loaded without `Buffer`, as those of a browser are. */
const inThread = (texts: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> =>
  new Promise((resolve, reject) => {
    const code = `
      const { parentPort, workerData } = require("node:worker_threads")
      globalThis.Buffer = undefined
      import(workerData.module).then((ndjson) => (${readings})(ndjson, workerData.texts)).then(
        (found) => parentPort.postMessage(found)
      )`
    const module = new URL("../dist/index.js", import.meta.url).href
    const worker = new Worker(code, { eval: true, workerData: { module, texts } })
    worker.once("message", resolve).once("error", reject)
  })

describe("a platform without Buffer", () => {
  it("reads the same values, keys, elements and errors from any text", async () => {
    const texts = [
      '{"id":1,"ab":"abab","list":[{"id":"ab"}]}',
      '{"id":"µ","µ\\u00b5":"ababab"}',
      `{"id":"${"x".repeat(20_000)}\ufffd","key ${"y".repeat(100)}":"é"}`,
      '{"id":"a\\"b","a":"aab"}',
      '{"id":"\ufffd"',
      '{"id":,}'
    ]
    const [here, ...expected] = await readings(ndjson, texts)
    const [there, ...found] = await inThread(texts)
    expect([here, there]).toEqual(["function", "undefined"])
    expect(found).toEqual(expected)
  })
})
