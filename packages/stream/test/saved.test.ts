import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Compression } from "@chemstream/ndjson/node"
import type { Chemstream, Progress } from "@chemstream/stream"
import { Checkpoint, createChemstream, type NodeChemstream } from "@chemstream/stream/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Stream } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { collect, type ManualService, record, start, startWithRecords } from "./streamService.ts"

const idOf = (index: number): string => `DTXSID${1_000_000 + index}`

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => idOf(index))

const endpoint = "details.byDtxsid"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-saved-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a service that refuses the key after this many responses. */
const startFailing = (answers: number): Promise<ManualService> => {
  let left = answers
  return start((ids) =>
    left-- > 0 ? { status: 200, body: `[${ids.map(record).join(",")}]` } : { status: 401, body: "{}" }
  )
}

const lines = (ids: ReadonlyArray<string>): string => ids.map((id) => `${record(id)}\n`).join("")

describe("A run that is saved to a file", () => {
  it("refuses the name of another format than NDJSON", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    await expect(chemstream.save(idsOf(1), "records.csv", { endpoint })).rejects.toMatchObject({
      _tag: "InvalidOption",
      option: "output"
    })
    const errors = { endpoint, errors: "problems.xlsx" } as const
    await expect(chemstream.save(idsOf(1), "records.ndjson", errors)).rejects.toMatchObject({
      _tag: "InvalidOption",
      option: "errors"
    })
  })

  it("leaves only the records and the problems", async () => {
    await using service = await start((ids) => ({
      status: 200,
      body: `[${ids.slice(1).map(record).join()}]`
    }))
    await using chemstream = await createChemstream(service.client)
    const output = join(folder, "out.ndjson")
    const errors = join(folder, "errors.ndjson")
    const ledger = await chemstream.save([...idsOf(3), "?"], output, { endpoint, errors })
    expect(readFileSync(output, "utf8")).toBe(lines(idsOf(3).slice(1)))
    const problems = readFileSync(errors, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(problems).toMatchObject([
      { id: idOf(0), outcome: "missing", line: 1 },
      { id: "?", outcome: "invalid", line: 4 }
    ])
    expect(ledger).toMatchObject({ read: 4, found: 2, missing: 1, invalid: 1 })
    expect(existsSync(`${output}.checkpoint`)).toBe(false)
    expect(existsSync(`${output}.part`)).toBe(false)
  })

  it("keeps the records of the identifiers before a failure of the input, and does not request them again", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const output = join(folder, "out.ndjson")
    const broken = new Error("the table ends within a row")
    const rows = async function* () {
      yield* idsOf(3)
      throw broken
    }
    await expect(chemstream.save(rows(), output, { endpoint })).rejects.toBe(broken)
    expect(readFileSync(`${output}.part`, "utf8")).toBe(lines(idsOf(3)))
    await chemstream.save(idsOf(5), output, { endpoint })
    expect(service.requests.map(({ ids }) => ids)).toEqual([idsOf(3), idsOf(5).slice(3)])
    expect(readFileSync(output, "utf8")).toBe(lines(idsOf(5)))
  })

  it.each(["out.ndjson", "out.ndjson.gz"])("is resumed by the same call: %s", async (name) => {
    const output = join(folder, name)
    await using failing = await startFailing(2)
    const baseUrl = failing.client.baseUrl
    const options = { endpoint, batchSize: 2, concurrency: 1 } as const
    {
      await using chemstream = await createChemstream(failing.client)
      await expect(chemstream.save(idsOf(10), output, options)).rejects.toMatchObject({
        _tag: "Unauthorized"
      })
    }
    expect(existsSync(output)).toBe(false)
    await failing[Symbol.asyncDispose]()
    await using service = await startWithRecords(Number(new URL(baseUrl).port))
    await using chemstream = await createChemstream(service.client)
    const ledger = await chemstream.save(idsOf(10), output, options)
    expect(service.requests.flatMap(({ ids }) => ids)).toEqual(idsOf(10).slice(4))
    const bytes = readFileSync(output)
    expect((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()).toBe(lines(idsOf(10)))
    expect(ledger).toMatchObject({ read: 10, found: 10, records: 10 })
  })

  it.each([
    ["missing", [idOf(0)], true],
    ["invalid", ["?"], true],
    ["missing and invalid", [idOf(0), "?"], true],
    ["nothing", [idOf(1)], false]
  ] as const)(
    "has compressed problems in one member, which may be empty: %s",
    async (_, ids, hasProblems) => {
      await using service = await start((asked) => ({
        status: 200,
        body: `[${asked.filter((id) => id !== idOf(0)).map(record)}]`
      }))
      await using chemstream = await createChemstream(service.client)
      const errors = join(folder, "errors.ndjson.gz")
      await chemstream.save(ids, join(folder, "out.ndjson"), { endpoint, errors })
      const bytes = readFileSync(errors)
      expect(gunzipSync(bytes).length > 0).toBe(hasProblems)
      expect(bytes.toString("latin1").split("\u001f\u008b\b").length - 1).toBe(1)
    }
  )

  it("is refused when its lookup differs from the saved run", async () => {
    const output = join(folder, "out.ndjson")
    await using service = await startFailing(1)
    await using chemstream = await createChemstream(service.client)
    const options = { endpoint, batchSize: 2, concurrency: 1 } as const
    const run = (projection: "compact" | "ntatoolkit") =>
      chemstream.save(idsOf(4), output, { ...options, projection })
    await expect(run("compact")).rejects.toMatchObject({ _tag: "Unauthorized" })
    await expect(run("ntatoolkit")).rejects.toMatchObject({
      _tag: "CheckpointRefused",
      message: expect.stringContaining('projection is "ntatoolkit" now, and was "compact"')
    })
  })

  it("stops in order: requests in flight are written, and the same call requests nothing twice", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const output = join(folder, "out.ndjson")
    const stop = new AbortController()
    const options = { endpoint, batchSize: 1, concurrency: 2 } as const
    const saved = chemstream.save(idsOf(4), output, { ...options, stop: stop.signal })
    const stopped = expect(saved).rejects.toThrow("enough")
    await service.waitForRequests(2)
    stop.abort(new Error("enough"))
    for (const request of service.requests) request.respond()
    await stopped
    expect(readFileSync(`${output}.part`, "utf8")).toBe(lines(idsOf(2)))
    const continued = chemstream.save(idsOf(4), output, options)
    await service.waitForRequests(4)
    for (const request of service.requests.slice(2)) request.respond()
    await continued
    expect(service.requests.map(({ ids }) => ids)).toEqual(idsOf(4).map((id) => [id]))
    expect(readFileSync(output, "utf8")).toBe(lines(idsOf(4)))
  })

  it("refuses wrong files before the first request, and leaves none", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const output = join(folder, "out.ndjson")
    const save = chemstream.save as (...args: ReadonlyArray<unknown>) => Promise<unknown>
    const wrong: ReadonlyArray<readonly [option: string, message: RegExp, ...args: ReadonlyArray<unknown>]> =
      [
        ["output", /this is a folder/, idsOf(1), folder, { endpoint }],
        ["output", /make the folder .*none first/, idsOf(1), join(folder, "none", "x.ndjson"), { endpoint }],
        ["errors", /another file: output has this one/, idsOf(1), output, { endpoint, errors: output }],
        [
          "checkpoint",
          /another file: output has this one/,
          idsOf(1),
          output,
          { endpoint, checkpoint: output }
        ],
        [
          "part",
          /another file: errors has this one/,
          idsOf(1),
          output,
          { endpoint, errors: `${output}.part` }
        ],
        ["output", /The argument output is an object/, idsOf(1), { endpoint }],
        ["output", /The argument output is missing/, idsOf(1), undefined, { endpoint }],
        ["endpoint", /The option endpoint is missing/, idsOf(1), output]
      ]
    for (const [option, message, ...args] of wrong) {
      const error = await save(...args).catch((refused) => refused)
      expect(error).toMatchObject({ _tag: "InvalidOption", option, message: expect.stringMatching(message) })
    }
    const checkpoint = join(folder, "none", "x")
    await expect(collect(chemstream.lookup(idsOf(1), { endpoint, checkpoint }))).rejects.toMatchObject({
      option: "checkpoint"
    })
    expect(readdirSync(folder)).toEqual([])
    expect(service.requests).toEqual([])
  })

  it("replaces a file of its name at the end", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const output = join(folder, "out.ndjson")
    writeFileSync(output, "mine")
    await chemstream.save(idsOf(1), output, { endpoint })
    expect(readFileSync(output, "utf8")).toBe(lines(idsOf(1)))
  })

  it("refuses a second run at the same time", async () => {
    const output = join(folder, "out.ndjson")
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const first = chemstream.save(idsOf(1), output, { endpoint })
    await service.waitForRequests(1)
    await expect(chemstream.save(idsOf(1), output, { endpoint })).rejects.toMatchObject({
      _tag: "LockFailure"
    })
    service.requests[0]?.respond()
    expect(await first).toMatchObject({ found: 1 })
  })
})

describe("A loop with a checkpoint", () => {
  it("resumes after the batches that it has finished", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const checkpoint = join(folder, "loop.checkpoint")
    const run = () => chemstream.lookup(idsOf(6), { endpoint, batchSize: 2, concurrency: 1, checkpoint })
    const seen: Array<string | undefined> = []
    for await (const { id } of run()) {
      seen.push(id)
      if (seen.length === 3) break
    }
    const again = run()
    const rest = (await collect(again)).map(({ id }) => id)
    // The second batch was in flight when the loop was left.
    expect(seen).toEqual(idsOf(3))
    expect(rest).toEqual(idsOf(6).slice(2))
    expect(again.ledger).toMatchObject({ read: 6, found: 6 })
    expect(existsSync(checkpoint)).toBe(false)
  })

  it("refuses another input", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const checkpoint = join(folder, "loop.checkpoint")
    const options = { endpoint, batchSize: 2, checkpoint } as const
    let seen = 0
    for await (const _ of chemstream.lookup(idsOf(6), options)) if (++seen === 3) break
    const other = idsOf(6).toReversed()
    await expect(collect(chemstream.lookup(other, options))).rejects.toMatchObject({ _tag: "InputMismatch" })
  })
})

describe("The progress of a run that resumes another", () => {
  const options = { endpoint, batchSize: 1, concurrency: 1 } as const

  /** Runs until the key is refused after two responses, then again. Returns the counts of the snapshots of each run. */
  const progressOf = async (
    run: (
      chemstream: NodeChemstream.NodeChemstream,
      progress: Chemstream.ProgressOptions,
      ids: ReadonlyArray<string>
    ) => Promise<unknown>
  ) => {
    let left = 2
    await using service = await start((asked) =>
      left-- > 0 ? { status: 200, body: `[${asked.map(record)}]` } : { status: 401, body: "{}" }
    )
    const runs: Array<ReadonlyArray<readonly [done: number, total: number | undefined]>> = []
    for (const _ of ["first", "second"]) {
      await using chemstream = await createChemstream(service.client)
      const seen: Array<Progress.Snapshot> = []
      const report = (snapshot: Progress.Snapshot): unknown => seen.push(snapshot)
      await run(chemstream, { report, every: "1 hour" }, idsOf(5)).catch((error) =>
        expect(error).toMatchObject({ _tag: "Unauthorized" })
      )
      runs.push(seen.map(({ done, total }) => [done, total]))
      left = 3
    }
    return runs
  }

  it.each<[string, Parameters<typeof progressOf>[0]]>([
    [
      "save",
      (chemstream, progress, ids) =>
        chemstream.save(ids, join(folder, "out.ndjson"), { ...options, progress })
    ],
    [
      "a loop",
      (chemstream, progress, ids) =>
        collect(chemstream.lookup(ids, { ...options, progress, checkpoint: join(folder, "loop") }))
    ]
  ])("counts its identifiers, too, to the end: %s", async (_, run) => {
    const [first, second] = await progressOf(run)
    expect(first).toEqual([
      [0, 5],
      [2, 5]
    ])
    expect(second).toEqual([
      [0, 5],
      [5, 5]
    ])
  })
})

describe("The files of a run without records", () => {
  it.each(["gz", "zst"])(
    "are valid compressed files of one empty member, however often the run is finished: %s",
    async (extension) => {
      const [output, errors] = ["empty", "no-errors"].map((name) =>
        join(folder, `${name}.ndjson.${extension}`)
      )
      await Effect.gen(function* () {
        const lines = yield* Checkpoint.lines({ output: `${output}`, errors, identity: {} })
        yield* lines.write(Stream.empty)
        yield* lines.finish
        yield* lines.finish
        yield* lines.complete
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer), Effect.runPromise)
      const member = await Effect.runPromise(
        Compression.member(extension === "gz" ? "gzip" : "zstd", new Uint8Array())
      )
      for (const file of [output, errors]) expect(readFileSync(`${file}`)).toEqual(Buffer.from(member))
    }
  )
})
