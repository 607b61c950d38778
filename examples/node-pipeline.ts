/**
 * Compresses the detail records of a list of identifiers, in one pipeline of Node streams. Standard error lists the other identifiers.
 *
 *   echo DTXSID7020182 | node examples/node-pipeline.ts details.ndjson.gz
 *
 * The command does the same: chemstream details DTXSID7020182 --output details.ndjson.gz
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Details, Outcome } from "@chemstream/stream"
import { NodeStream } from "@chemstream/stream/node"

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error("usage: node-pipeline.ts FILE < IDENTIFIERS")
  process.exit(2)
}

try {
  const lines = NodeStream.toLines(Details.byDtxsid(), {
    onProblem: (problem) => {
      console.error(Outcome.describe(problem))
      if (problem._tag === "Failed") process.exitCode = 1
    }
  })
  await pipeline(process.stdin, lines, createGzip(), createWriteStream(file))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = (error as { readonly _tag?: string })._tag === "Unauthorized" ? 3 : 1
}
