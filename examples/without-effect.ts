/**
 * The job of names-to-nta.ts without Effect: promises, Node's streams and async iterators. Names in, records for
 * non-targeted analysis out as NDJSON, each substance once; what is unknown is told on standard error.
 *
 *   node examples/without-effect.ts < names.txt > suspects.ndjson
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY say which service. Exit code 1: something failed; 3: key refused.
 */
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type ChemError, createClient } from "@chemstream/client"
import { Details } from "@chemstream/stream"
import { NodeStream } from "@chemstream/stream/node"

async function* identifiersOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const client = await createClient()
  try {
    const names = Readable.from(lines)
      .map((line: string) => line.trim())
      .filter((name: string) => name !== "" && !name.startsWith("#"))
    const answers = names.map((name: string) => client.search.equalMany([name]), { concurrency: 4 })
    for await (const [answer] of answers as AsyncIterable<
      Awaited<ReturnType<typeof client.search.equalMany>>
    >) {
      if (answer?._tag === "Found") for (const { dtxsid } of answer.hits) if (dtxsid) yield dtxsid
      if (answer?._tag === "Missing") console.error("Missing", answer.word, ...answer.suggestions)
      if (answer?._tag === "Failed") {
        if (answer.error._tag === "Unauthorized") throw answer.error
        report({ _tag: "Failed", id: answer.word, error: answer.error })
      }
    }
  } finally {
    await client.close()
  }
}

const report = ({ _tag, id, error }: { _tag: string; id: string; error?: Error }): void => {
  console.error(_tag, id, ...(error === undefined ? [] : [error.message]))
  if (_tag === "Failed") process.exitCode = 1
}

const details = NodeStream.toLines(Details.byDtxsid({ projection: "ntatoolkit" }), { onProblem: report })

try {
  await pipeline(createInterface({ input: process.stdin }), identifiersOf, details, process.stdout)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = (error as ChemError.ChemError)._tag === "Unauthorized" ? 3 : 1
}
