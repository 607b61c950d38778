/**
 * Decodes lines on standard input into bytes, records or values, and encodes them again. At the end, it sends its peak memory as a message.
 * It loads no more of `effect` than it uses.
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
