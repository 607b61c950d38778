// Tests when the batches of a saved run are written: at once, or together in one member of a compressed file.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { RawRecord } from "@chemstream/ndjson"
import { Checkpoint } from "@chemstream/stream/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-lines-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A batch to write, and the time that passes before it. */
interface Step {
  /** The bytes of its line. */
  readonly line?: number
  readonly problems?: number
  readonly after?: number
  readonly spans?: ReadonlyArray<{ readonly from: number; readonly to: number }>
  readonly digest?: string
  readonly suspicious?: number
}

const sizeOf = (file: string): number => statSync(file).size

/** Writes batches. Returns the sizes of the growing output before each batch and at the end, and the state of its checkpoint. */
const write = (
  steps: ReadonlyArray<Step>,
  {
    errors,
    output = "out.ndjson.gz"
  }: { readonly output?: string; readonly errors?: string | undefined } = {}
) =>
  Effect.gen(function* () {
    const file = join(folder, output)
    const lines = yield* Checkpoint.lines({
      output: file,
      errors: errors === undefined ? undefined : join(folder, errors),
      identity: {},
      every: "1 hour"
    })
    const sizes: Array<number> = []
    const look = Effect.sync(() => sizes.push(sizeOf(`${file}.part`)))
    yield* Stream.fromIterable(steps).pipe(
      Stream.rechunk(1),
      Stream.mapEffect(({ after = 0, digest = "", line = 0, problems = 0, spans = [], suspicious = 0 }) =>
        look.pipe(
          Effect.andThen(TestClock.adjust(after)),
          Effect.as({
            batch: { outcomes: [], spans, digest, suspicious },
            records: line === 0 ? [] : [RawRecord.fromText(`"${"x".repeat(line - 3)}"`)],
            problems: new Uint8Array(problems)
          })
        )
      ),
      lines.write
    )
    yield* look
    yield* lines.save
    const state = JSON.parse(readFileSync(`${file}.checkpoint`, "utf8"))
    yield* lines.complete
    return { sizes, state, bytes: readFileSync(file) }
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, TestClock.layer())),
    Effect.runPromise
  )

/** Whether the output grew with each batch, and at the end of the stream. */
const growthOf = ({ sizes }: { readonly sizes: ReadonlyArray<number> }): ReadonlyArray<boolean> =>
  sizes.slice(1).map((size, at) => size > (sizes[at] ?? 0))

const mebibyte = 2 ** 20

describe("the batches of a saved run", () => {
  it.each<readonly [string, string | undefined, boolean]>([
    ["out.ndjson", undefined, true],
    ["out.ndjson", "errors.ndjson", true],
    ["out.ndjson", "errors.ndjson.gz", false],
    ["out.ndjson.gz", "errors.ndjson", false],
    ["out.ndjson.gz", undefined, false],
    ["out.ndjson.zst", undefined, false]
  ])("of %s and %s are written at once, unless a file is compressed", async (output, errors, isAtOnce) => {
    const run = await write([{ line: 10 }, { line: 20 }, { line: 30 }], { output, errors })
    expect(growthOf(run)).toEqual([isAtOnce, isAtOnce, true])
  })

  it.each<readonly [string, ReadonlyArray<Step>, ReadonlyArray<boolean>]>([
    ["have 1 MiB", [{ line: mebibyte - 100 }, { line: 100 }, { line: 10 }], [false, true, true]],
    ["do not have 1 MiB", [{ line: mebibyte - 100 }, { line: 99 }, { line: 10 }], [false, false, true]],
    [
      "have 1 MiB with their problems",
      [{ line: 100, problems: mebibyte - 200 }, { line: 100 }, { line: 10 }],
      [false, true, true]
    ],
    [
      "have 1 MiB again",
      [{ line: mebibyte }, { line: mebibyte - 1 }, { line: 10 }, { line: 10 }],
      [true, false, true, true]
    ],
    [
      "wait for a second",
      [{ line: 10 }, { line: 10, after: 999 }, { line: 10, after: 1 }, { line: 10 }],
      [false, false, true, true]
    ],
    [
      "wait for a second since the first of them",
      [{ line: 10 }, { line: 10, after: 1000 }, { line: 10, after: 500 }, { line: 10, after: 999 }],
      [false, true, false, true]
    ],
    ["are the last", [{ line: 10 }], [true]]
  ])("are compressed together until they %s", async (_, steps, growth) => {
    const run = await write(steps, { errors: "errors.ndjson" })
    expect(growthOf(run)).toEqual(growth)
    const lines = steps.map(({ line = 0 }) => `"${"x".repeat(line - 3)}"\n`)
    expect(gunzipSync(run.bytes).toString()).toBe(lines.join(""))
  })

  it.each([
    [
      [
        { spans: [{ from: 2, to: 4 }], digest: "after 4" },
        { spans: [{ from: 0, to: 2 }], digest: "after 2" }
      ]
    ],
    [
      [
        { spans: [{ from: 0, to: 2 }], digest: "after 2" },
        { spans: [{ from: 2, to: 4 }], digest: "after 4" }
      ]
    ],
    [[{ spans: [{ from: 0, to: 4 }], digest: "after 4" }, { digest: "of nothing" }]]
  ])("are recorded as one with the digest of the last position: %j", async (steps) => {
    const { state } = await write(steps.map((step) => ({ ...step, line: 10, suspicious: 2 })))
    expect(state).toMatchObject({
      spans: [{ from: 0, to: 4 }],
      digest: "after 4",
      counts: { read: 4, suspicious: 4 }
    })
  })
})
