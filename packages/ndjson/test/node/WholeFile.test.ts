import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, PlatformError, type Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { bytesOf } from "../chunks.ts"

let folder = ""
let file = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ndjson-whole-"))
  file = join(folder, "hits.ndjson")
})
afterEach(() => rmSync(folder, { recursive: true }))

type Change = (fs: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>

/** Runs an effect on the file system of this machine, in which some calls are changed. */
const run = <A, E>(
  effect: Effect.Effect<A, E, WholeFile.Services | Scope.Scope>,
  change: Change = () => ({})
) =>
  Effect.runPromise(
    Effect.scoped(effect).pipe(
      Effect.provide(
        Layer.effect(
          FileSystem.FileSystem,
          Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, ...change(fs) }))
        )
      ),
      Effect.provide(NodeServices.layer)
    )
  )

/** Changes the handles of opened files. */
const handles =
  (change: (handle: FileSystem.File, path: string) => Partial<FileSystem.File>): Change =>
  (fs) => ({
    open: (path, options) =>
      Effect.map(fs.open(path, options), (handle) => {
        const changed = change(handle, path)
        return new Proxy(handle, {
          get: (target, name) => Reflect.get(name in changed ? changed : target, name)
        })
      })
  })

const errorWith = (code: string) =>
  PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "call",
    cause: Object.assign(new Error(code), { code })
  })

const names = () => readdirSync(folder).sort()
const text = (path = file) => readFileSync(path, "utf8")
const modeOf = (path = file) => statSync(path).mode & 0o777

describe("WholeFile.open", () => {
  it("grows under a temporary name beside the file, which has its old content until it is published", async () => {
    writeFileSync(file, "old")
    const during = await run(
      Effect.gen(function* () {
        const whole = yield* WholeFile.open(file)
        yield* whole.append(bytesOf("a\n"))
        yield* whole.append(bytesOf("b\n"))
        const seen = [text(), names()]
        yield* whole.publish()
        return seen
      })
    )
    expect(during).toEqual([
      "old",
      ["hits.ndjson", expect.stringMatching(`^hits\\.ndjson\\.part-[0-9a-f]{8}-${process.pid}-[0-9a-f]{12}$`)]
    ])
    expect([text(), names()]).toEqual(["a\nb\n", ["hits.ndjson"]])
  })

  it.each([undefined, "hits.tmp"])(
    "leaves the old content alone unless it is published (%s)",
    async (name) => {
      writeFileSync(file, "old")
      const temporary = name && join(folder, name)
      const seen = await run(
        Effect.gen(function* () {
          const whole = yield* WholeFile.open(file, { temporary })
          yield* whole.append(bytesOf("new"))
          yield* whole.flush
          return names().length
        })
      )
      expect([seen, text(), names()]).toEqual([2, "old", ["hits.ndjson"]])
    }
  )

  it("flushes any number of times, and publishes under another name", async () => {
    const other = join(folder, "other.ndjson")
    await run(
      Effect.gen(function* () {
        const { append, flush, publish } = yield* WholeFile.open(file)
        yield* append(bytesOf("x"))
        yield* flush
        yield* flush
        yield* publish(other)
      })
    )
    expect([names(), text(other)]).toEqual([["other.ndjson"], "x"])
  })

  it("empties a temporary file of a given name that an ended process left", async () => {
    const temporary = join(folder, "hits.tmp")
    writeFileSync(temporary, "left by another process")
    await run(WholeFile.write(file, bytesOf("x"), { temporary }))
    expect([names(), text()]).toEqual([["hits.ndjson"], "x"])
  })

  it("removes the temporary files of ended processes, and no others", async () => {
    const [own = ""] = await run(Effect.andThen(WholeFile.open(file), Effect.sync(names)))
    const left = (pid: number, name = own) => name.replace(/-\d+-[0-9a-f]{12}$/, `-${pid}-0123456789ab`)
    // No system has a process with such a number.
    const ended = 99_999_999
    const others = [
      left(process.pid),
      left(process.ppid),
      left(ended, own.replace(/part-[0-9a-f]{8}/, "part-00000000")),
      left(ended).replace("hits", "other"),
      `${left(ended)}0`,
      left(ended).replace("-0123456789ab", "-copy")
    ]
    for (const name of [left(ended), ...others]) writeFileSync(join(folder, name), "")
    await run(WholeFile.write(file, bytesOf("x")))
    expect(names()).toEqual(["hits.ndjson", ...others].sort())
  })

  it("leaves the file alone that has its temporary name after it was published", async () => {
    const temporary = join(folder, "growing")
    await run(
      Effect.gen(function* () {
        const whole = yield* WholeFile.open(file, { temporary })
        yield* whole.append(bytesOf("own"))
        yield* whole.publish()
        writeFileSync(temporary, "another")
      })
    )
    expect(readFileSync(file, "utf8")).toBe("own")
    expect(readFileSync(temporary, "utf8")).toBe("another")
  })

  it("removes no temporary file if it has a name of its own", async () => {
    const [own = ""] = await run(Effect.andThen(WholeFile.open(file), Effect.sync(names)))
    const left = own.replace(/-\d+-([0-9a-f]{12})$/, "-99999999-$1")
    writeFileSync(join(folder, left), "")
    await run(WholeFile.write(file, bytesOf("x"), { temporary: join(folder, "hits.tmp") }))
    expect(names()).toEqual(["hits.ndjson", left])
  })

  it("appends nothing if a write is cut short, so that it can be repeated", async () => {
    let isFull = false
    const full = handles((handle) => ({
      writeAll: (bytes) =>
        isFull
          ? Effect.andThen(handle.writeAll(bytes.subarray(0, 2)), Effect.fail(errorWith("ENOSPC")))
          : handle.writeAll(bytes)
    }))
    await run(
      Effect.gen(function* () {
        const { append, publish } = yield* WholeFile.open(file)
        yield* append(bytesOf("one\n"))
        yield* append(bytesOf("two\n"))
        isFull = true
        expect(yield* Effect.flip(append(bytesOf("three\n")))).toMatchObject({ _tag: "PlatformError" })
        isFull = false
        yield* append(bytesOf("four\n"))
        yield* publish()
      }),
      full
    )
    expect(text()).toBe("one\ntwo\nfour\n")
  })

  it.each([[{}], [{ mode: 0o600 }]])(
    "flushes the content before its name, and the name after it: %j",
    async (options) => {
      const calls: Array<string> = []
      const noted = (call: string) => Effect.sync(() => void calls.push(call))
      await run(WholeFile.write(file, bytesOf("x"), options), (fs) => ({
        ...handles((handle, path) => ({
          sync: Effect.andThen(noted(path === folder ? "sync folder" : "sync file"), handle.sync)
        }))(fs),
        rename: (from, to) => Effect.andThen(noted("rename"), fs.rename(from, to))
      }))
      expect(calls).toEqual(["sync file", "rename", "sync folder"])
    }
  )

  it("fails and removes the temporary file if the content cannot be flushed", async () => {
    writeFileSync(file, "old")
    const error = await run(
      Effect.flip(WholeFile.write(file, bytesOf("x"))),
      handles(() => ({ sync: Effect.fail(errorWith("EIO")) }))
    )
    expect(error).toMatchObject({ reason: { cause: { code: "EIO" } } })
    expect([text(), names()]).toEqual(["old", ["hits.ndjson"]])
  })
})

describe("WholeFile.write", () => {
  it("keeps the permissions of the replaced file, unless others are given", async () => {
    await run(WholeFile.write(file, bytesOf("1"), { mode: 0o640 }))
    expect(modeOf()).toBe(0o640)
    chmodSync(file, 0o600)
    await run(WholeFile.write(file, bytesOf("2")))
    expect([text(), modeOf()]).toEqual(["2", 0o600])
    await run(WholeFile.write(file, bytesOf("3"), { mode: 0o644 }))
    expect([text(), modeOf()]).toEqual(["3", 0o644])
  })

  it("gives a new file the permissions of any new file", async () => {
    const plain = join(folder, "plain")
    writeFileSync(plain, "")
    await run(WholeFile.write(file, bytesOf("1")))
    expect(modeOf()).toBe(modeOf(plain))
  })

  it.each([
    ["file", () => WholeFile.write(1 as never, bytesOf("x"))],
    ["bytes", () => WholeFile.write(file, "x" as never)],
    ["path", () => WholeFile.place(1 as never, file)],
    ["path", () => WholeFile.place(file, 1 as never)],
    ["folder", () => WholeFile.syncFolder(1 as never)]
  ])("refuses a wrong %s, and leaves no file", async (option, write) => {
    await expect(run(Effect.suspend(() => write()))).rejects.toMatchObject({ _tag: "InvalidOption", option })
    expect(names()).toEqual([])
  })
})

describe("WholeFile.syncFolder", () => {
  const failing = (code: string) => handles(() => ({ sync: Effect.fail(errorWith(code)) }))

  it.each(["EINVAL", "ENOTSUP", "ENOSYS", "EISDIR"])(
    "does nothing where folders cannot be flushed (%s)",
    (code) => run(WholeFile.syncFolder(folder), failing(code))
  )

  it("passes on any other failure", async () => {
    expect(await run(Effect.flip(WholeFile.syncFolder(folder)), failing("EIO"))).toMatchObject({
      reason: { cause: { code: "EIO" } }
    })
    expect(await run(Effect.flip(WholeFile.syncFolder(join(folder, "none"))))).toMatchObject({
      reason: { _tag: "NotFound" }
    })
  })
})
