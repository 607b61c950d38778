import { mkdtemp, readdir, readlink, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Seen } from "@chemstream/stream"
import { DiskSeen } from "@chemstream/stream/node"
import { Effect } from "effect"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { anyText } from "./anyText.ts"

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "chemstream-test-"))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const using = <A>(memory: number | undefined, use: (seen: Seen.Seen) => A): Promise<A> =>
  DiskSeen.make({ memory, directory }).pipe(Effect.map(use), Effect.scoped, Effect.runPromise)

/** Where this process has a file of the directory open: its entries in /proc. */
const openFiles = async (): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const name of await readdir("/proc/self/fd")) {
    const path = `/proc/self/fd/${name}`
    const target = await readlink(path).catch(() => "")
    if (target.startsWith(directory)) found.push(path)
  }
  return found
}

describe("DiskSeen", () => {
  it("knows exactly what it was given, whatever the text and however little is kept in memory", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText(8), { maxLength: 200 }), fc.nat(20), async (ids, memory) => {
        const reference = new Set<string>()
        const expected = ids.map((id) => reference.size < reference.add(id).size)
        expect(await using(memory, (seen) => ids.map(seen.add))).toEqual(expected)
      }),
      { numRuns: 50 }
    )
  })

  it("keeps apart identifiers that differ in one digit, by the hundred thousand", async () => {
    const ids = Array.from({ length: 200_000 }, (_, i) => `DTXSID${i}`)
    const added = await using(1000, (seen) => [ids, ids].map((all) => all.filter(seen.add).length))
    expect(added).toEqual([200_000, 0])
  })

  it("leaves nothing behind when its scope ends, well or badly", async () => {
    await using(0, (seen) => seen.add("a"))
    await expect(
      using(0, (seen) => {
        seen.add("a")
        throw new Error("the run broke")
      })
    ).rejects.toThrow("the run broke")
    expect(await readdir(directory)).toEqual([])
  })

  it.runIf(process.platform === "linux")(
    "has no name on disk while it is open, and no reader but its owner",
    async () => {
      const program = Effect.gen(function* () {
        const seen = yield* DiskSeen.make({ memory: 0, directory })
        for (let i = 0; i < 1000; i++) seen.add(`${i}`)
        const files = yield* Effect.promise(openFiles)
        const modes = yield* Effect.promise(() => Promise.all(files.map((file) => stat(file))))
        const names = yield* Effect.promise(() => readdir(directory))
        return { modes: modes.map(({ mode }) => mode & 0o777), names }
      })
      const { modes, names } = await Effect.runPromise(Effect.scoped(program))
      expect(modes).toEqual([0o600])
      expect(names).toEqual([])
      expect(await openFiles()).toEqual([])
    }
  )

  it("says so where the file cannot be written, and never that an identifier is new", async () => {
    const closed = await using(1, (seen) => seen)
    expect(closed.add("in memory")).toBe(true)
    expect(() => closed.add("on disk")).toThrow(DiskSeen.DiskSeenFailure)
  })

  it("fails where the directory does not exist, and says which", async () => {
    const absent = join(directory, "absent")
    const failure = await DiskSeen.make({ directory: absent }).pipe(
      Effect.flip,
      Effect.scoped,
      Effect.runPromise
    )
    expect(failure).toMatchObject({ _tag: "DiskSeenFailure", message: expect.stringContaining(absent) })
  })

  it.each([-1, 1.5, Number.NaN])("fails where %d identifiers are to be kept in memory", async (memory) => {
    const failure = await DiskSeen.make({ memory }).pipe(Effect.flip, Effect.scoped, Effect.runPromise)
    expect(failure._tag).toBe("DiskSeenFailure")
  })
})

describe("Seen.upTo", () => {
  it("asks the other set about those alone that it does not hold, from the bound on", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 })), fc.nat(10), (ids, most) => {
        const asked: Array<string> = []
        const rest = new Set<string>()
        const seen = Seen.upTo(most, {
          add: (id) => {
            asked.push(id)
            return rest.size < rest.add(id).size
          }
        })
        const distinct = [...new Set(ids)]
        const reference = new Set<string>()
        for (const id of ids) expect(seen.add(id)).toBe(reference.size < reference.add(id).size)
        expect([...rest]).toEqual(distinct.slice(most))
        expect(asked.every((id) => rest.has(id))).toBe(true)
      })
    )
  })
})
