/** The order of writes, flushes and renames, recorded in the process of the command: what is on disk after a crash. */
import { mkdirSync, readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { answerTo, setUp } from "./checkpointed.ts"
import { folder, run } from "./process.ts"
import { scripted } from "./scripted.ts"

type Operation =
  | { readonly create: string }
  | { readonly write: string }
  | { readonly sync: string }
  | { readonly rename: string; readonly to: string }
  | { readonly remove: string }

const preload = new URL("recordedFiles.mjs", import.meta.url).href

/** Runs the command, and returns the operations on the files of its folder. */
const operations = async (args: ReadonlyArray<string>, at: string, env: Record<string, string> = {}) => {
  const log = join(folder(), "operations")
  const ended = await run(args, {
    cwd: at,
    env: { ...env, RECORDED_FILES: log, NODE_OPTIONS: `--import=${preload}` }
  })
  expect(ended).toMatchObject({ code: 0 })
  const home = realpathSync(at)
  return readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Operation => JSON.parse(line))
    .map((operation) =>
      Object.fromEntries(
        Object.entries(operation).map(([name, path]) => [name, path === undefined ? "" : resolve(home, path)])
      )
    )
    .filter((operation) =>
      Object.values(operation).every((path) => path.startsWith(home))
    ) as Array<Operation>
}

/** The violations of the order that a crash at any moment needs. */
const violations = (all: ReadonlyArray<Operation>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const unflushed = new Set<string>()
  const unflushedFolders = new Map<string, string>()
  const created = new Map<string, string>()
  for (const operation of all) {
    if ("create" in operation) {
      if (operation.create.endsWith(".part"))
        created.set(dirname(operation.create), basename(operation.create))
    } else if ("write" in operation) unflushed.add(operation.write)
    else if ("sync" in operation) {
      unflushed.delete(operation.sync)
      unflushedFolders.delete(operation.sync)
      created.delete(operation.sync)
    } else if ("rename" in operation) {
      if (unflushed.delete(operation.rename))
        found.push(`renamed before its flush: ${basename(operation.to)}`)
      // The checkpoint describes the outputs, so they are on disk before it.
      if (operation.to.endsWith("checkpoint")) {
        for (const file of unflushed) found.push(`behind its checkpoint: ${basename(file)}`)
        for (const name of created.values())
          found.push(`its name is not on disk before its checkpoint: ${name}`)
      }
      // What moves into a temporary folder is removed with it.
      if (!basename(dirname(operation.to)).startsWith(".writing-"))
        unflushedFolders.set(dirname(operation.to), basename(operation.to))
    } else if (operation.remove.endsWith("checkpoint"))
      for (const name of unflushedFolders.values())
        found.push(`checkpoint removed before the name is on disk: ${name}`)
  }
  for (const name of unflushedFolders.values()) found.push(`the name is not on disk: ${name}`)
  return found
}

/** The names of the renamed files. */
const published = (all: ReadonlyArray<Operation>): ReadonlyArray<string> =>
  all.flatMap((operation) => ("rename" in operation ? [basename(operation.to)] : []))

describe("the files of a command are flushed before they get their names, and then the names", {
  concurrent: true
}, () => {
  it.each(["out.ndjson", "out.ndjson.gz", "out.csv", "out.json", "out.parquet"])("%s", async (output) => {
    const { at } = setUp(30)
    const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = ["details", "-i", "ids", "--batch-size", "10", "--fields", "dtxsid", "-q"]
    const all = await operations(
      [...args, "-o", output, "--errors", "errors.ndjson", "--json-summary", "summary.json"],
      at,
      env
    )
    expect(violations(all)).toEqual([])
    expect(published(all)).toEqual(expect.arrayContaining([output, "errors.ndjson", "summary.json"]))
  })

  it.each([[[]], [["--errors", "errors.ndjson", "--checkpoint", "other/checkpoint"]]])(
    "of a run that was never saved before its end: %j",
    async (more) => {
      const { at } = setUp(30)
      mkdirSync(join(at, "other"))
      const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
      const all = await operations(["details", "-i", "ids", "-q", "-o", "out.ndjson", ...more], at, env)
      expect(violations(all)).toEqual([])
      expect(published(all)).toContain("out.ndjson")
    }
  )

  it("a checkpoint is replaced only after the outputs that it describes", async () => {
    const { at } = setUp(30)
    const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked), after: 600 }))
    const all = await operations(
      ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "-q", "-o", "out.ndjson"],
      at,
      env
    )
    expect(violations(all)).toEqual([])
    expect(published(all)).toContain("out.ndjson.checkpoint")
  })

  it("the settings, generated records and a harvest", async () => {
    const { at } = setUp(30)
    const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    for (const [args, names] of [
      [["config", "set", "base-url", "http://127.0.0.1:1"], ["settings.json"]],
      [
        ["generate", "--count", "10", "--output", "made", "-q"],
        ["details.ndjson", "aed.ndjson"]
      ],
      [
        [
          "harvest",
          "start",
          "one",
          "-i",
          "ids",
          "--database",
          "h.sqlite",
          "--output",
          "mirror/records.csv",
          "-q"
        ],
        ["records.csv", "manifest.json"]
      ]
    ] as const) {
      const all = await operations(args, at, { ...env, XDG_CONFIG_HOME: at })
      expect(violations(all)).toEqual([])
      expect(published(all)).toEqual(expect.arrayContaining([...names]))
    }
  })
})
