/**
 * Runs a lookup with a checkpoint, as a process to kill: `node checkpointProcess.ts URL FOLDER`.
 *
 * It requests every substance of `RecordService.ts` and writes records.ndjson and problems.ndjson. It prints
 * `started` when the first batch is recorded, and `complete` at the end.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup } from "@chemstream/stream"
import { Checkpoint } from "@chemstream/stream/node"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Redacted, Stream } from "effect"
import * as RecordService from "./RecordService.ts"

const [url = "", folder = ""] = process.argv.slice(2)

const batchSize = 10

const client = ChemClient.layer({
  baseUrl: url,
  apiKey: Redacted.make("key"),
  retry: RetryPolicy.make({ attempts: 10, baseDelay: 2, maxDelay: 20 })
}).pipe(Layer.provide(Transport.layer({ proxy: false })))

const platform = Layer.merge(NodeFileSystem.layer, NodePath.layer)

const bytesOf = (lines: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(lines.map((line) => `${line}\n`).join(""))

const run = Effect.gen(function* () {
  const checkpoint = yield* Checkpoint.file({
    file: `${folder}/checkpoint`,
    outputs: { records: `${folder}/records.ndjson`, problems: `${folder}/problems.ndjson` },
    identity: { url },
    every: 5
  })
  const substances = Array.from({ length: RecordService.size }, (_, index) => RecordService.substance(index))
  let isFirst = true
  yield* Lookup.batches(Identifiers.fromIterable(substances), Details.byDtxsid(), {
    batchSize,
    concurrency: 4,
    ordered: true,
    ledger: checkpoint.ledger,
    resumePoint: checkpoint.resumePoint
  }).pipe(
    Stream.runForEach((batch) =>
      Effect.gen(function* () {
        const records = batch.outcomes.flatMap((one) => (one._tag === "Found" ? one.records : []))
        const others = batch.outcomes.filter((one) => one._tag !== "Found")
        yield* checkpoint.record(batch, {
          records: bytesOf(records.map(RawRecord.toText)),
          problems: bytesOf(others.map(({ _tag, id, line }) => JSON.stringify({ outcome: _tag, id, line })))
        })
        if (isFirst) process.stdout.write("started\n")
        isFirst = false
      })
    )
  )
  yield* checkpoint.complete
  process.stdout.write("complete\n")
})

await Effect.runPromise(run.pipe(Effect.scoped, Effect.provide(Layer.merge(client, platform))))
