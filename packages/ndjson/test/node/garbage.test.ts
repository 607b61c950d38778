import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

/** A process that passes 400 MB on in chunks that it never uses again, and says how many MiB of chunks it had at most. */
const waiting = (pass: string): number =>
  Number(
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `
        import { Ndjson, RawArray } from "@chemstream/ndjson"
        import * as Effect from "effect/Effect"
        import * as Stream from "effect/Stream"

        const text = Buffer.from(('{"id":"' + "x".repeat(3000) + '"},').repeat(20))
        let most = 0
        const chunks = function* () {
          yield Buffer.from("[")
          for (let n = 0; n < 6500; n++) {
            yield Buffer.from(new Uint8Array(text).buffer)
            most = Math.max(most, process.memoryUsage().arrayBuffers)
          }
          yield Buffer.from("1]")
        }
        const lines = function* () {
          for (const chunk of chunks()) {
            for (let at = 0; at !== -1; at = chunk.indexOf("},", at)) chunk[at + 1] = 10
            yield chunk
          }
        }
        await Effect.runPromise(Stream.runDrain(${pass}))
        process.stdout.write(String(most / 2 ** 20))
      `
      ],
      { cwd: import.meta.dirname, encoding: "utf8" }
    )
  )

describe("chunks that nobody looks at any more", () => {
  it.each([
    ["raw lines", "Stream.fromIterable(lines(), { chunkSize: 1 }).pipe(Ndjson.decodeRaw())"],
    ["elements of an array", "Stream.fromIterable(chunks(), { chunkSize: 1 }).pipe(RawArray.decode())"]
  ])("are freed in time where they were passed on as %s", (_, pass) => {
    // 35 MiB; without ballast on the heap 95 to 107.
    expect(waiting(pass)).toBeLessThan(64)
  })
})
