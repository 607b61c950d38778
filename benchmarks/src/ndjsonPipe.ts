/**
 * The process whose memory is measured: lines on stdin, decoded to what the argument says and encoded again, to stdout. Sends
 * its peak memory as a message at the end. Loads no more of `effect` than it uses.
 */
import { once } from "node:events"
import { Ndjson } from "@chemstream/ndjson"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ownMemory } from "./child.ts"

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
