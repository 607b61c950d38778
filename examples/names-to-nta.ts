/**
 * Turns a list of names into a table for non-targeted analysis (projection ntatoolkit), with a row for each substance. The extension
 * of the output sets the format: TSV, CSV or NDJSON. Standard error lists unknown names and names of several substances.
 *
 *   node examples/names-to-nta.ts suspects.tsv < names.txt
 *
 * The command does the same: chemstream search equal < names.txt | chemstream details --projection ntatoolkit --output suspects.tsv
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Format } from "@chemstream/ndjson"
import { FileFormat } from "@chemstream/ndjson/node"
import { Crawl, Details, Identifiers, Outcome, Search } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Stdio, Stream } from "effect"

const [output] = process.argv.slice(2)
if (output === undefined) {
  console.error("usage: names-to-nta.ts OUTPUT < NAMES")
  process.exit(2)
}

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { stdin } = yield* Stdio.Stdio
  const steps = Crawl.outcomes(Identifiers.fromBytes(stdin), {
    search: Search.equal(),
    lookup: Details.byDtxsid({ projection: "ntatoolkit" })
  })
  // Renamed when complete, so a failed run keeps the earlier table.
  const part = `${output}.part`
  yield* steps.pipe(
    Stream.tap((step) =>
      Effect.sync(() => {
        const { outcome } = step
        if (outcome._tag === "Failed") process.exitCode = 1
        if (outcome._tag !== "Found") console.error(Outcome.describe(outcome))
        if (step._tag === "Query" && step.discovered.length > 1) {
          console.error("several:", outcome.id, ...step.discovered)
        }
      })
    ),
    Stream.map((step) =>
      step._tag === "Discovered" && step.outcome._tag === "Found" ? step.outcome.records : []
    ),
    Stream.flattenIterable,
    FileFormat.encodeRaw(Format.ofPath(output)),
    Stream.run(fs.sink(part))
  )
  yield* fs.rename(part, output)
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
