/**
 * The process whose memory is measured: lines on stdin, decoded to what the first argument says and encoded again, to
 * stdout; the second says whether the young generation is kept small. Says at the end, as a message, what memory it had at most. Loads no more of `effect` than it uses.
 */
import { once } from "node:events"
import { Ndjson } from "@chemstream/ndjson"
import { YoungGeneration } from "@chemstream/ndjson/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ownMemory } from "./child.ts"

if (process.argv[3] === "keepSmall") YoungGeneration.keepSmall()
const bytes = Stream.fromAsyncIterable<Uint8Array, unknown>(process.stdin, (error) => error)
const output = {
  bytes: () => bytes,
  records: () => bytes.pipe(Ndjson.decodeRaw(), Ndjson.encodeRaw()),
  values: () => bytes.pipe(Ndjson.decode(), Ndjson.encode())
}[process.argv[2] as "bytes" | "records" | "values"]()

await Effect.runPromise(
  Stream.runForEach(output, (piece) =>
    Effect.promise(async () => {
      if (!process.stdout.write(piece)) await once(process.stdout, "drain")
    })
  )
)
process.send?.(ownMemory().peak)
process.disconnect?.()
