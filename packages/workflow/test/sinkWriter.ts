// Writes all chunks of a sink in its own order, and completes it. Arguments: the specification of the sink as JSON,
// the number of chunks, the name of the writer, the address of a Postgres.
import { Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Random, Redacted } from "effect"
import { chunk, identity } from "./sinkChunks.ts"

const [spec = "", count = "", name = "", url = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const sink = yield* Sinks.open(JSON.parse(spec), identity)
  const indexes = yield* Random.shuffle(Array.from({ length: Number(count) }, (_, index) => index))
  yield* Effect.forEach(indexes, (index) => sink.write(chunk(index, name)), { concurrency: 4 })
  console.log(JSON.stringify(yield* sink.complete(Number(count))))
})

await Effect.runPromise(
  program.pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, PgClient.layer({ url: Redacted.make(url) })))
  )
)
