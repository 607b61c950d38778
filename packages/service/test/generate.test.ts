import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Generate, StoreWriter } from "@chemstream/service"
import { Effect, Exit, Stream } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { collect, lines, records } from "./generated.ts"

const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

describe("a generated data set", () => {
  it("is the same for the same count and seed", async () => {
    const options = { count: 1500, seed: 7, tested: 0.2 }
    const [once, again] = [await collect(options), await collect(options)]
    for (const kind of kinds) expect(lines(again, kind)).toEqual(lines(once, kind))
  })

  it("is another one for another seed", async () => {
    const [one, other] = [await collect({ count: 50, seed: 1 }), await collect({ count: 50, seed: 2 })]
    expect(records(one, "details").map(({ smiles }) => smiles)).not.toEqual(
      records(other, "details").map(({ smiles }) => smiles)
    )
  })

  it("begins with the smaller ones of its seed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2500 }),
        fc.integer({ min: 0, max: Generate.largestSeed }),
        async (count, seed) => {
          const small = await collect({ count, seed, tested: 0.1 })
          const large = await collect({ count: count + 700, seed, tested: 0.1 })
          for (const kind of kinds) {
            const first = lines(small, kind)
            expect(lines(large, kind).slice(0, first.length)).toEqual(first)
          }
        }
      ),
      { numRuns: 4 }
    )
  })

  it("has the bytes it had on every machine so far", async () => {
    const batches = await collect({ count: 300, seed: 42, tested: 0.5 })
    const digest = async (kind: keyof Generate.Batch) => {
      const text = new TextEncoder().encode(lines(batches, kind).join("\n"))
      return Buffer.from(await crypto.subtle.digest("SHA-256", text))
        .toString("hex")
        .slice(0, 16)
    }
    expect(await Promise.all(kinds.map(digest))).toEqual([
      "dcbea095d70eec21",
      "272a3fc708009fab",
      "fad26be6acfaf97a",
      "480f03108699e675"
    ])
  })

  it("comes in batches of a thousand substances", async () => {
    const batches = await collect({ count: 2300, seed: 1 })
    expect(batches.map(({ details }) => details.length)).toEqual([1000, 1000, 300])
  })
})

describe("what cannot be generated", () => {
  it.each([
    { count: 0, seed: 1 },
    { count: 1.5, seed: 1 },
    { count: Generate.largestCount + 1, seed: 1 },
    { count: 1, seed: -1 },
    { count: 1, seed: Generate.largestSeed + 1 },
    { count: 1, seed: 1, tested: 1.1 },
    { count: 1, seed: 1, tested: Number.NaN }
  ])("is refused with what can: %j", async (options) => {
    const exit = await Effect.runPromiseExit(Stream.runDrain(Generate.batches(options)))
    expect(Exit.isFailure(exit) && String(exit.cause)).toMatch(/must be .* from \d+ to \d+/)
  })
})

describe("a run", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "generate-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("writes the records of each kind into a file, plain and gzipped the same", async () => {
    const options = { count: 1200, seed: 9, tested: 0.05 }
    const report = await Effect.runPromise(Generate.files({ ...options, folder: join(folder, "plain") }))
    await Effect.runPromise(Generate.files({ ...options, folder: join(folder, "zipped"), gzip: true }))
    const batches = await collect(options)
    for (const kind of kinds) {
      const text = lines(batches, kind)
        .map((line) => `${line}\n`)
        .join("")
      expect(await readFile(join(folder, "plain", `${kind}.ndjson`), "utf8")).toBe(text)
      expect(gunzipSync(await readFile(join(folder, "zipped", `${kind}.ndjson.gz`))).toString()).toBe(text)
      expect(report.records[kind]).toBe(lines(batches, kind).length)
    }
  })

  it("leaves no file when it fails", async () => {
    const place = join(folder, "plain", "details.ndjson", "below")
    const exit = await Effect.runPromiseExit(Generate.files({ count: 1, seed: 1, folder: place }))
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("cannot be written")
    const refused = join(folder, "refused")
    await Effect.runPromiseExit(Generate.files({ count: 0, seed: 1, folder: refused }))
    expect(await readdir(folder)).not.toContain("refused")
  })

  it("puts every batch into a store, finishes once, and tells how far it is", async () => {
    const calls: Array<string> = []
    const put = (kind: string) => (entries: ReadonlyArray<unknown>) =>
      Effect.sync(() => void calls.push(`${kind} ${entries.length}`))
    const transaction: StoreWriter.Transaction = {
      putDetails: put("details"),
      putSynonyms: put("synonyms"),
      putBioactivity: put("bioactivity"),
      putAed: put("aed"),
      finish: Effect.sync(() => void calls.push("finish")),
      counts: Effect.die("not asked for")
    }
    const progress: Array<Generate.Progress> = []
    const report = await Effect.runPromise(
      Generate.into({ count: 1500, seed: 1, tested: 0, onProgress: (step) => progress.push(step) }).pipe(
        Effect.provideService(
          StoreWriter.StoreWriter,
          StoreWriter.StoreWriter.of({ transaction: (use) => use(transaction) })
        )
      )
    )
    expect(calls.filter((call) => call.startsWith("details"))).toEqual(["details 1000", "details 500"])
    expect(calls.filter((call) => call === "finish")).toEqual(["finish"])
    expect(calls.at(-1)).toBe("finish")
    expect(progress).toEqual([
      { phase: "generating", substances: 1000, total: 1500 },
      { phase: "generating", substances: 1500, total: 1500 },
      { phase: "finishing", substances: 1500, total: 1500 }
    ])
    expect(report.records.details).toBe(1500)
  })
})
