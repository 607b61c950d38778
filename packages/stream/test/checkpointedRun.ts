/**
 * A run with a checkpoint, as a process that a test can kill: `node checkpointedRun.ts FOLDER ORDERED COUNT`.
 *
 * Every response takes a moment. Some identifiers are missing, failed, invalid or repeated. The process prints
 * `started` when the first batch is recorded, and `complete` at the end.
 */

import { InvalidIdentifier } from "@chemstream/api"
import type { Batch } from "@chemstream/batch"
import { BatchCalls, Identifiers } from "@chemstream/stream"
import { Checkpoint } from "@chemstream/stream/node"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Result, Stream } from "effect"

const [folder = "", ordered = "true", count = "0"] = process.argv.slice(2)

const texts = Array.from({ length: Number(count) }, (_, index) => {
  if (index % 11 === 5) return `!${index}`
  return index % 7 === 3 ? `${index - 3}` : `${index}`
})

const parse = (text: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  text.startsWith("!")
    ? Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "ID",
          value: text,
          reason: "malformed",
          message: "no ID"
        })
      )
    : Result.succeed(text)

const call = (ids: ReadonlyArray<string>): Effect.Effect<Batch.CallResult<string, string>, string> => {
  const answer = ids.some((id) => Number(id) % 13 === 6)
    ? Effect.fail("poison")
    : Effect.succeed({
        records: ids
          .filter((id) => Number(id) % 5 !== 4)
          .map((id) => ({ key: id, record: `${id} ${"é".repeat(Number(id) % 50)}\n` }))
      })
  return Effect.delay(answer, Number(ids[0]) % 3)
}

const encoder = new TextEncoder()

const run = Effect.gen(function* () {
  const checkpoint = yield* Checkpoint.file({
    file: `${folder}/checkpoint`,
    outputs: { records: `${folder}/records.txt`, problems: `${folder}/problems.txt` },
    identity: { ordered },
    every: 3
  })
  const settings = {
    parse,
    call,
    classify: () => "isolate" as const,
    size: 8,
    concurrency: 4,
    ordered: ordered === "true",
    dedupe: true,
    ledger: checkpoint.ledger,
    resumePoint: checkpoint.resumePoint
  }
  if (!checkpoint.isComplete) {
    let isFirst = true
    yield* BatchCalls.batches(Identifiers.fromIterable(texts), settings).pipe(
      Stream.runForEach((batch) => {
        const found = batch.outcomes.flatMap((one) => (one._tag === "Found" ? one.records : []))
        const others = batch.outcomes.filter((one) => one._tag !== "Found")
        return Effect.tap(
          checkpoint.record(batch, {
            records: encoder.encode(found.join("")),
            problems: encoder.encode(others.map(({ _tag, id, line }) => `${_tag} ${id} ${line}\n`).join(""))
          }),
          () =>
            Effect.sync(() => {
              if (isFirst) process.stdout.write("started\n")
              isFirst = false
            })
        )
      })
    )
  }
  yield* checkpoint.complete
  return checkpoint.ledger
}).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)))

// After the scope has closed, so that a run that prints `complete` has released its locks.
const { duplicates, failed, found, invalid, missing, read, records } = await Effect.runPromise(run)
process.stdout.write(
  `complete ${JSON.stringify({ duplicates, failed, found, invalid, missing, read, records })}\n`
)
