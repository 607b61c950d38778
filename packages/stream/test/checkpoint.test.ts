import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { Batch } from "@chemstream/batch"
import { JumpingClock } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { BatchCalls, Identifiers, type Ledger } from "@chemstream/stream"
import { Checkpoint } from "@chemstream/stream/node"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Clock, Effect, FileSystem, Layer, PlatformError, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const platform = Layer.merge(NodeFileSystem.layer, NodePath.layer)

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "checkpoint-"))

/** Opens runs of one checkpoint: each records a batch, takes some seconds, and returns the time of the earlier runs. */
const pausing = async () => {
  const folder = await makeFolder()
  const open = (seconds: number): Promise<number> =>
    Effect.gen(function* () {
      const checkpoint = yield* Checkpoint.file({
        file: join(folder, "checkpoint"),
        outputs: { records: join(folder, "records") },
        identity: {}
      })
      yield* checkpoint.record({ outcomes: [], spans: [], digest: "" }, {})
      yield* TestClock.adjust(`${seconds} seconds`)
      yield* checkpoint.save
      return checkpoint.earlierMillis
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, TestClock.layer())), Effect.runPromise)
  return { folder, open }
}

let folder: string

const echo = (ids: ReadonlyArray<string>): Effect.Effect<Batch.CallResult<string, Error>, Error> =>
  Effect.succeed({ records: ids.map((id) => ({ key: id, record: id })) })

interface Run {
  readonly texts?: ReadonlyArray<string>
  readonly identity?: Checkpoint.Options<"out">["identity"]
  readonly call?: typeof echo
  readonly resume?: boolean
  /** The items, if they are not just texts. */
  readonly items?: ReadonlyArray<Identifiers.Identifier>
  readonly doubtOf?: BatchCalls.Settings<string, Error, never>["doubtOf"]
  /** The identifier whose batch is emitted, but cannot be written. */
  readonly failsAt?: string
}

const outFile = (): string => join(folder, "out.txt")

/** Writes one identifier a batch, as a line. Any failure stops the run. */
const run = ({
  call = echo,
  doubtOf,
  failsAt,
  identity = { a: 1 },
  items,
  resume,
  texts = ["a", "b", "c", "d"]
}: Run) =>
  Effect.gen(function* () {
    const checkpoint = yield* Checkpoint.file({
      file: join(folder, "checkpoint"),
      outputs: { out: outFile() },
      identity,
      resume
    })
    const identifiers = items === undefined ? Identifiers.fromIterable(texts) : Stream.fromIterable(items)
    yield* BatchCalls.batches(identifiers, {
      parse: Result.succeed,
      call,
      doubtOf,
      classify: () => "stop",
      size: 1,
      concurrency: 1,
      ordered: true,
      dedupe: true,
      ledger: checkpoint.ledger,
      resumePoint: checkpoint.resumePoint
    }).pipe(
      Stream.runForEach((batch) =>
        batch.outcomes.some(({ id }) => id === failsAt)
          ? Effect.fail(new Error("no more"))
          : checkpoint.record(batch, {
              out: new TextEncoder().encode(batch.outcomes.map(({ id }) => `${id}\n`).join(""))
            })
      )
    )
    yield* checkpoint.complete
    return checkpoint.ledger
  }).pipe(Effect.scoped)

const attempt = (one: Run = {}) => Effect.runPromise(Effect.result(run(one)).pipe(Effect.provide(platform)))

const failingAt =
  (bad: string): typeof echo =>
  (ids) =>
    ids.includes(bad) ? Effect.fail(new Error("no more")) : echo(ids)

describe("Checkpoint.file", () => {
  beforeEach(async () => {
    folder = await makeFolder()
  })
  afterEach(() => rm(folder, { recursive: true }))

  it("refuses an invalid time between two saves, and leaves no file", async () => {
    const file = join(folder, "checkpoint")
    const opened = Checkpoint.file({ file, outputs: {}, identity: {}, every: -1 })
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(opened)).pipe(Effect.provide(platform)))
    expect(error).toMatchObject({ _tag: "InvalidOption", option: "every", value: -1 })
    expect(await readdir(folder)).toEqual([])
  })

  it("resumes a run that failed, and counts both parts as one run", async () => {
    const first = await attempt({ call: failingAt("c") })
    expect(first).toMatchObject({ _tag: "Failure", failure: { message: "no more" } })
    expect(existsSync(outFile())).toBe(false)

    const asked: Array<string> = []
    const second = await attempt({
      call: (ids) => {
        asked.push(...ids)
        return echo(ids)
      }
    })
    expect(asked).toEqual(["c", "d"])
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
    expect(Result.getOrThrow(second) as Ledger.Counts).toMatchObject({ read: 4, found: 4, records: 4 })
    expect(await readdir(folder)).toEqual(["out.txt"])
  })

  it("counts surplus records and truncated identifiers of unrecorded batches once", async () => {
    const generous: typeof echo = (ids) =>
      Effect.succeed({
        records: [...ids, "x"].map((id) => ({ key: id, record: id })),
        truncated: new Map(ids.map((id) => [id, "capped"]))
      })
    // The ledger of the first run counts the batch of "c", but recording it fails.
    const broken = await attempt({ call: generous, failsAt: "c" })
    expect(broken).toMatchObject({ _tag: "Failure" })
    const second = await attempt({ call: generous })
    expect(Result.getOrThrow(second) as Ledger.Counts).toMatchObject({ found: 4, surplus: 4, truncated: 4 })
  })

  it("counts ambiguous and contradictory identifiers of both runs", async () => {
    const doubtOf: Run["doubtOf"] = ([record]) =>
      record === "a" || record === "d" ? "ambiguous" : record === "b" ? "conflict" : undefined
    expect(await attempt({ call: failingAt("c"), doubtOf })).toMatchObject({ _tag: "Failure" })
    const second = await attempt({ doubtOf })
    expect(Result.getOrThrow(second) as Ledger.Counts).toMatchObject({ found: 4, ambiguous: 2, conflict: 1 })
  })

  it("has the duration of the runs that it resumes, and 0 for a new run", async () => {
    const { folder, open } = await pausing()
    expect(await open(60)).toBe(0)
    expect(await open(30)).toBe(60_000)
    expect(await open(0)).toBe(90_000)
    await rm(folder, { recursive: true })
  })

  it("stores a text of the caller with each save, as it is then", async () => {
    const open = (note: string) =>
      Effect.gen(function* () {
        let text = ""
        const checkpoint = yield* Checkpoint.file({
          file: join(folder, "checkpoint"),
          outputs: { out: outFile() },
          identity: {},
          note: () => text
        })
        yield* checkpoint.record({ outcomes: [], spans: [], digest: "" }, {})
        text = note
        yield* checkpoint.save
        return checkpoint.note
      }).pipe(Effect.scoped, Effect.provide(platform), Effect.runPromise)
    expect([await open("one"), await open("two"), await open("")]).toEqual([undefined, "one", "two"])
  })

  it("is saved with the first batch after each period, and not with the others", async () => {
    const file = join(folder, "checkpoint")
    const saved: Array<number> = []
    await Effect.gen(function* () {
      const checkpoint = yield* Checkpoint.file({
        file,
        outputs: { records: join(folder, "records") },
        identity: {},
        every: "10 seconds"
      })
      for (const seconds of [4, 6, 1, 8, 1, 9, 1]) {
        yield* TestClock.adjust(`${seconds} seconds`)
        yield* checkpoint.record({ outcomes: [], spans: [], digest: "" }, { records: new Uint8Array(1) })
        saved.push(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).lengths.records : 0)
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, TestClock.layer())), Effect.runPromise)
    expect(saved).toEqual([0, 2, 2, 2, 5, 5, 7])
  })

  it("is saved even if the clock is set back during the run", async () => {
    const file = join(folder, "checkpoint")
    const saved = await Effect.gen(function* () {
      const clock = yield* JumpingClock.make([{ after: 500, by: -3_600_000 }])
      const checkpoint = yield* Effect.provideService(
        Checkpoint.file({ file, outputs: { records: join(folder, "records") }, identity: {} }),
        Clock.Clock,
        clock
      )
      const record = Effect.provideService(
        checkpoint.record({ outcomes: [], spans: [], digest: "" }, { records: new Uint8Array(4) }),
        Clock.Clock,
        clock
      )
      yield* record
      yield* TestClock.adjust("5 seconds")
      yield* record
      return JSON.parse(yield* Effect.promise(() => readFile(file, "utf8")))
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(platform, TestClock.layer())), Effect.runPromise)
    expect(saved).toMatchObject({ lengths: { records: 8 }, elapsed: 5000 })
  })

  it("is replaced only after its outputs are on disk", async () => {
    const calls: Array<string> = []
    const watched = Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => ({
        ...fs,
        open: (...args: Parameters<typeof fs.open>) =>
          Effect.map(fs.open(...args), (opened) =>
            /\.part$/.test(args[0]) ? syncing(opened, () => calls.push(`sync ${basename(args[0])}`)) : opened
          ),
        rename: (from: string, to: string) =>
          Effect.suspend(() => {
            calls.push(`rename to ${basename(to)}`)
            return fs.rename(from, to)
          })
      }))
    ).pipe(Layer.provide(NodeFileSystem.layer))
    await Effect.gen(function* () {
      const checkpoint = yield* Checkpoint.file({
        file: join(folder, "checkpoint"),
        outputs: { out: outFile(), problems: join(folder, "problems") },
        identity: {}
      })
      yield* checkpoint.record({ outcomes: [], spans: [], digest: "" }, { out: new Uint8Array(1) })
      expect(calls).toEqual([])
      yield* checkpoint.save
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(watched, NodePath.layer)), Effect.runPromise)
    expect(calls).toEqual(["sync out.txt.part", "sync problems.part", "rename to checkpoint"])
  })

  it("says that the input has ended, from its end until the run is complete", async () => {
    const completeIn = (file: string): unknown => JSON.parse(readFileSync(file, "utf8")).complete
    const file = join(folder, "checkpoint")
    const seen: Array<unknown> = []
    const open = <A>(use: (checkpoint: Checkpoint.Checkpoint<"out">) => Effect.Effect<A, unknown>) =>
      Effect.flatMap(Checkpoint.file({ file, outputs: { out: outFile() }, identity: {} }), use).pipe(
        Effect.scoped,
        Effect.provide(platform),
        Effect.runPromise
      )
    const look = Effect.sync(() => seen.push(completeIn(file)))
    await open((checkpoint) =>
      Effect.gen(function* () {
        const record = checkpoint.record({ outcomes: [], spans: [], digest: "" }, { out: new Uint8Array(1) })
        yield* record
        yield* checkpoint.save
        yield* look
        yield* checkpoint.finish
        yield* look
        yield* checkpoint.save
        yield* look
        yield* record
      })
    )
    // Saved again when the scope closed.
    seen.push(completeIn(file))
    expect(seen).toEqual([false, true, true, true])
    await open((checkpoint) => {
      expect(checkpoint.isComplete).toBe(true)
      return checkpoint.complete
    })
    expect(await readdir(folder)).toEqual(["out.txt"])
    expect((await stat(outFile())).size).toBe(2)
  })

  it("keeps an older output until the run is complete", async () => {
    await writeFile(outFile(), "older\n")
    await attempt({ call: failingAt("c") })
    expect(await readFile(outFile(), "utf8")).toBe("older\n")
    await attempt()
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
  })

  it("requests identifiers that were added at the end of the input", async () => {
    await attempt({ call: failingAt("c") })
    await attempt({ texts: ["a", "b", "c", "d", "e"] })
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\ne\n")
  })

  const refusals: ReadonlyArray<readonly [string, Run, () => Promise<unknown>, RegExp]> = [
    ["other options", { identity: { a: 2 } }, async () => {}, /a is 2 now, and was 1/],
    [
      "several other options",
      { identity: { a: 2, b: true } },
      async () => {},
      /a is 2 now, and was 1; b is true now, and was not set/
    ],
    [
      "an additional option",
      { identity: { a: 1, b: true } },
      async () => {},
      /b is true now, and was not set/
    ],
    ["another input", { texts: ["a", "x", "c"] }, async () => {}, /have changed/],
    ["a shorter input", { texts: ["a"] }, async () => {}, /it has 1 items/],
    ["an output cut short", {}, () => truncate(`${outFile()}.part`, 1), /has 1 bytes, and had 4/],
    ["a missing output", {}, () => rm(`${outFile()}.part`), /out\.txt\.part is missing/],
    [
      "a file that is not a checkpoint",
      {},
      () => writeFile(join(folder, "checkpoint"), "{}"),
      /checkpoint is not a checkpoint\. Choose another file/
    ]
  ]
  it.each(refusals)("refuses %s, says why, and changes nothing", async (_, one, spoil, reason) => {
    await attempt({ call: failingAt("c") })
    await spoil()
    const before = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"))
    )
    const refused = await attempt({ ...one, call: () => Effect.die("asked") })
    expect(refused).toMatchObject({ _tag: "Failure", failure: { message: expect.stringMatching(reason) } })
    const after = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"))
    )
    expect(after).toEqual(before)
  })

  it("refuses an output that the run did not have", async () => {
    await attempt({ call: failingAt("c") })
    const opened = Checkpoint.file({
      file: join(folder, "checkpoint"),
      outputs: { out: outFile(), problems: join(folder, "problems") },
      identity: { a: 1 }
    })
    const refused = await Effect.runPromise(opened.pipe(Effect.flip, Effect.scoped, Effect.provide(platform)))
    expect(refused).toMatchObject({
      _tag: "CheckpointRefused",
      message: expect.stringContaining(
        "the output problems is true now, and was not set. Use the same options"
      )
    })
    expect(await attempt()).toMatchObject({ _tag: "Success" })
  })

  const rows = (carried: (text: string) => unknown, texts = ["a", "b", "c", "d"]) => ({
    items: texts.map((text, index) => ({ text, line: index + 1, carried: carried(text) }))
  })
  const circular: Record<string, unknown> = {}
  circular["self"] = circular
  it.each<readonly [string, (text: string) => unknown, (text: string) => unknown]>([
    ["records", (text) => RawRecord.fromText(`{"n":"${text}"}`), () => RawRecord.fromText('{"n":1}')],
    ["objects", (text) => ({ n: text }), (text) => ({ n: text, m: 1 })],
    ["large numbers", () => 1n, () => 2n],
    ["texts and nothing", (text) => text, () => undefined]
  ])("refuses an input whose identifiers carry other %s", async (_, before, after) => {
    await attempt({ ...rows(before), call: failingAt("c") })
    const refused = await attempt({ ...rows(after), call: () => Effect.die("asked") })
    expect(refused).toMatchObject({ _tag: "Failure", failure: { _tag: "InputMismatch" } })
    expect(await attempt(rows(before))).toMatchObject({ _tag: "Success" })
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
  })

  it("resumes an input that carries a circular value", async () => {
    await attempt({ ...rows(() => circular), call: failingAt("c") })
    expect(await attempt(rows(() => circular))).toMatchObject({ _tag: "Success" })
  })

  it("refuses an input whose identifiers have other lines", async () => {
    await attempt({
      items: [
        { text: "a", line: 1 },
        { text: "b", line: 2 }
      ],
      call: failingAt("b")
    })
    const refused = await attempt({
      items: [
        { text: "a", line: 2 },
        { text: "b", line: 3 }
      ]
    })
    expect(refused).toMatchObject({ _tag: "Failure", failure: { _tag: "InputMismatch" } })
  })

  it("starts over with resume: false, for a checkpoint of any run", async () => {
    await attempt({ call: failingAt("c") })
    await attempt({ texts: ["x", "y"], identity: { a: 2 }, resume: false })
    expect(await readFile(outFile(), "utf8")).toBe("x\ny\n")
    expect(await readdir(folder)).toEqual(["out.txt"])
  })

  it.each(["checkpoint", "out.txt.part"])("keeps a foreign file %s with resume: false", async (name) => {
    await writeFile(join(folder, name), "mine")
    expect(await attempt({ resume: false })).toMatchObject({
      failure: { _tag: "CheckpointRefused", refusal: { _tag: "Foreign", file: join(folder, name) } }
    })
    expect(await readFile(join(folder, name), "utf8")).toBe("mine")
    expect(await readdir(folder)).toEqual([name])
  })

  it("leaves no file of a run whose first save fails, so that the same run starts over", async () => {
    const unsaved = Effect.gen(function* () {
      const checkpoint = yield* Checkpoint.file({
        file: join(folder, "checkpoint"),
        outputs: { out: outFile() },
        identity: { a: 1 },
        every: 0
      })
      expect(checkpoint.isSaved()).toBe(false)
      // The checkpoint is written under this name first.
      yield* Effect.promise(() => mkdir(join(folder, "checkpoint.new")))
      return yield* checkpoint.record(
        { outcomes: [], spans: [], digest: "" },
        { out: new TextEncoder().encode("a\n") }
      )
    }).pipe(Effect.scoped, Effect.result, Effect.provide(platform), Effect.runPromise)
    expect(await unsaved).toMatchObject({ failure: { _tag: "PlatformError" } })
    expect(await readdir(folder)).toEqual(["checkpoint.new"])
    await rm(join(folder, "checkpoint.new"), { recursive: true })
    expect(await attempt()).toMatchObject({ _tag: "Success" })
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
    expect(await readdir(folder)).toEqual(["out.txt"])
  })

  it("leaves no file of a run of which an output cannot be opened", async () => {
    const more = join(folder, "more.txt")
    const failing = Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => ({
        ...fs,
        open: (...args: Parameters<typeof fs.open>) =>
          args[0] === `${more}.part`
            ? Effect.fail(
                PlatformError.systemError({ _tag: "PermissionDenied", module: "FileSystem", method: "open" })
              )
            : fs.open(...args)
      }))
    ).pipe(Layer.provide(NodeFileSystem.layer))
    const opened = await Checkpoint.file({
      file: join(folder, "checkpoint"),
      outputs: { out: outFile(), more },
      identity: { a: 1 }
    }).pipe(
      Effect.scoped,
      Effect.result,
      Effect.provide(Layer.merge(failing, NodePath.layer)),
      Effect.runPromise
    )
    expect(opened).toMatchObject({ failure: { _tag: "PlatformError", reason: { _tag: "PermissionDenied" } } })
    expect(await readdir(folder)).toEqual([])
  })

  it("recognizes the output of a killed run also after a run that was refused", async () => {
    const two = () =>
      Checkpoint.file({
        file: join(folder, "checkpoint"),
        outputs: { out: outFile(), more: join(folder, "more.txt") },
        identity: {}
      }).pipe(Effect.scoped, Effect.result, Effect.provide(platform), Effect.runPromise)
    // Left by a process that was killed before its first save.
    await writeFile(`${outFile()}.lock`, "")
    await writeFile(`${outFile()}.part`, "a\n")
    await writeFile(join(folder, "more.txt.part"), "mine")
    for (const _ of [1, 2])
      expect(await two()).toMatchObject({
        failure: { refusal: { _tag: "Foreign", file: join(folder, "more.txt.part") } }
      })
    await rm(join(folder, "more.txt.part"))
    expect(await two()).toMatchObject({ _tag: "Success" })
    expect(await readdir(folder)).toEqual([])
  })

  it("leaves no file of a run that stops before its first record", async () => {
    expect(await attempt({ call: failingAt("a") })).toMatchObject({ _tag: "Failure" })
    expect(await readdir(folder)).toEqual([])
  })

  it("keeps the permissions of the file that it replaces", async () => {
    await writeFile(outFile(), "older\n", { mode: 0o600 })
    await attempt()
    expect((await stat(outFile())).mode & 0o777).toBe(0o600)
  })

  it.each([
    ["the checkpoint", "checkpoint", "other.txt"],
    ["an output", "other", "out.txt"]
  ])("refuses a second run while the first uses %s, and does not disturb the first", async (_, file, out) => {
    const second = Checkpoint.file({
      file: join(folder, file),
      outputs: { out: join(folder, out) },
      identity: { a: 1 }
    })
    const refused: Array<unknown> = []
    const call: typeof echo = (ids) =>
      Effect.gen(function* () {
        refused.push(yield* second.pipe(Effect.scoped, Effect.flip, Effect.orDie, Effect.provide(platform)))
        return yield* echo(ids)
      })
    expect(await attempt({ call, texts: ["a"] })).toMatchObject({ _tag: "Success" })
    const named = join(folder, file === "checkpoint" ? file : out)
    expect(refused).toMatchObject([
      {
        _tag: "LockFailure",
        isLocked: true,
        message: `another run is writing ${named}: wait until it has ended, or stop it`
      }
    ])
    expect(await readFile(outFile(), "utf8")).toBe("a\n")
    expect(await readdir(folder)).toEqual(["out.txt"])
  })

  it("finishes a run whose outputs only lacked their names", async () => {
    await attempt({ call: failingAt("c") })
    const state = JSON.parse(await readFile(join(folder, "checkpoint"), "utf8"))
    await writeFile(join(folder, "checkpoint"), JSON.stringify({ ...state, complete: true }))
    const isComplete = await Effect.runPromise(
      Effect.gen(function* () {
        const checkpoint = yield* Checkpoint.file({
          file: join(folder, "checkpoint"),
          outputs: { out: outFile() },
          identity: { a: 1 }
        })
        yield* checkpoint.complete
        return checkpoint.isComplete
      }).pipe(Effect.scoped, Effect.provide(platform))
    )
    expect(isComplete).toBe(true)
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\n")
    expect(await readdir(folder)).toEqual(["out.txt"])
  })

  describe("of a run that was killed after its output got its name", () => {
    const publish = async (text?: string) => {
      await attempt({ call: failingAt("c") })
      const state = JSON.parse(await readFile(join(folder, "checkpoint"), "utf8"))
      await writeFile(join(folder, "checkpoint"), JSON.stringify({ ...state, complete: true }))
      await rename(`${outFile()}.part`, outFile())
      if (text !== undefined) await writeFile(outFile(), text)
    }

    it("removes only the checkpoint, if the input is the same", async () => {
      await publish()
      expect(await attempt({ texts: ["a", "b"], call: () => Effect.die("asked") })).toMatchObject({
        _tag: "Success",
        success: { read: 2, found: 2 }
      })
      expect(await readFile(outFile(), "utf8")).toBe("a\nb\n")
      expect(await readdir(folder)).toEqual(["out.txt"])
    })

    it("takes the output back, if the input has grown", async () => {
      await publish()
      expect(await attempt()).toMatchObject({ _tag: "Success", success: { read: 4, found: 4 } })
      expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
      expect(await readdir(folder)).toEqual(["out.txt"])
    })

    it.each(["other", "a\nb\nc\n"])("refuses another file of that name: %j", async (text) => {
      await publish(text)
      expect(await attempt()).toMatchObject({
        _tag: "Failure",
        failure: { message: expect.stringContaining("out.txt.part is missing") }
      })
      expect(await readFile(outFile(), "utf8")).toBe(text)
    })
  })

  it("keeps the records from before the disk was full", async () => {
    const full = Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => ({
        ...fs,
        open: (...args: Parameters<typeof fs.open>) =>
          Effect.map(fs.open(...args), (opened) => (args[0].endsWith(".part") ? withRoom(opened, 5) : opened))
      }))
    ).pipe(Layer.provide(NodeFileSystem.layer))
    const failed = await Effect.runPromise(
      Effect.result(run({})).pipe(Effect.provide(Layer.merge(full, NodePath.layer)))
    )
    expect(failed).toMatchObject({ _tag: "Failure", failure: { _tag: "PlatformError" } })
    expect(await readFile(`${outFile()}.part`, "utf8")).toBe("a\nb\n")
    await attempt()
    expect(await readFile(outFile(), "utf8")).toBe("a\nb\nc\nd\n")
  })
})

/** A file that says when it is synced. */
const syncing = (opened: FileSystem.File, onSync: () => void): FileSystem.File =>
  new Proxy(opened, {
    get: (target, name) => {
      if (name === "sync") return Effect.andThen(Effect.sync(onSync), target.sync)
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === "function" ? value.bind(target) : value
    }
  })

/** A file with limited space. It takes the bytes that fit and then fails, like a full disk. */
const withRoom = (opened: FileSystem.File, room: number): FileSystem.File =>
  new Proxy(opened, {
    get: (target, name) => {
      if (name !== "writeAll") {
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === "function" ? value.bind(target) : value
      }
      return (bytes: Uint8Array) => {
        const fitting = bytes.subarray(0, room)
        room -= fitting.length
        const written = target.writeAll(fitting)
        return fitting.length === bytes.length
          ? written
          : Effect.andThen(
              written,
              Effect.fail(
                PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "writeAll" })
              )
            )
      }
    }
  })
