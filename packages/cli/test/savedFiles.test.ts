/**
 * Files at the place where a run saves: foreign files stay, damaged files are named, and differences are named.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { answerTo, setUp } from "./checkpointed.ts"
import { command, environment, run, type Surroundings, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const details = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "1", "--retries", "0"]
const intoFile = [...details, "-o", "out.ndjson"]

const preload = `--import=${new URL("recordedFiles.mjs", import.meta.url).href}`

/** Runs the command in a process whose files may not grow beyond this many KiB. */
const runLimited = async (limit: number, args: ReadonlyArray<string>, { cwd, env }: Surroundings) => {
  const script = 'ulimit -f "$0"; exec "$@"'
  const child = spawn("bash", ["--norc", "-c", script, `${limit}`, process.execPath, command, ...args], {
    cwd,
    env: environment(env),
    stdio: ["ignore", "ignore", "pipe"]
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")])
  return { code, stderr }
}

/** A service that rejects the key after one request, until it is told to accept it again. */
const revoking = async () => {
  const state = { isRevoked: true }
  const service = await scripted(({ ids }, number) =>
    state.isRevoked && number > 1 ? { status: 401, body: "{}" } : { body: answerTo(ids) }
  )
  return { ...service, state }
}

/** A folder in which a run has stopped after 50 of 100 identifiers. */
const stopped = async (...more: ReadonlyArray<string>) => {
  const { at, ids } = setUp(100)
  const { env, state } = await revoking()
  const first = await run([...intoFile, ...more], { cwd: at, env })
  expect(first).toMatchObject({ code: 3 })
  state.isRevoked = false
  const again = (...others: ReadonlyArray<string>) => run([...intoFile, ...others], { cwd: at, env })
  return { at, ids, env, first, again }
}

describe("a run into an NDJSON file", { concurrent: true }, () => {
  it.each([[[]], [["--no-resume"]]])(
    "does not change a --checkpoint file that is not a checkpoint, with options %j",
    async (more) => {
      const { at } = setUp(3)
      const { env } = await scripted(({ ids }) => ({ body: answerTo(ids) }))
      writeFileSync(join(at, "notes.txt"), "my notes\n")
      expect(await run([...intoFile, "--checkpoint", "notes.txt", ...more], { cwd: at, env })).toEqual({
        code: 2,
        stdout: "",
        stderr:
          "chemstream: notes.txt is not a checkpoint of chemstream. Choose another file with --checkpoint, or remove notes.txt by hand\n"
      })
      expect(readFileSync(join(at, "notes.txt"), "utf8")).toBe("my notes\n")
      expect(readdirSync(at).sort()).toEqual(["ids", "notes.txt"])
    }
  )

  it.each([
    ["out.ndjson.part", []],
    ["out.ndjson.part", ["--no-resume"]],
    ["errors.part", []]
  ])("does not change a file %s that no run has written, with options %j", async (name, more) => {
    const { at } = setUp(3)
    const { env } = await scripted(({ ids }) => ({ body: answerTo(ids) }))
    writeFileSync(join(at, name), "mine\n")
    expect(await run([...intoFile, "--errors", "errors", ...more], { cwd: at, env })).toEqual({
      code: 2,
      stdout: "",
      stderr: `chemstream: ${name} exists, but no checkpoint of a run refers to it. Rename or remove it, or choose another ${name === "errors.part" ? "--errors" : "--output"} file\n`
    })
    expect(readFileSync(join(at, name), "utf8")).toBe("mine\n")
    expect(readdirSync(at).sort()).toEqual([name, "ids"].sort())
  })

  it("starts over without an option after a run that was killed before its first save", async () => {
    const { at, ids } = setUp(3)
    let isHeld = true
    const { env, requests } = await scripted(({ ids: asked }) => ({
      body: answerTo(asked),
      ...(isHeld ? { until: new Promise<void>(() => {}) } : {})
    }))
    const args = [...intoFile, "--errors", "errors"]
    const killed = start(args, { cwd: at, env })
    while (requests.length === 0) await setTimeout(5)
    killed.child.kill("SIGKILL")
    await killed.ended
    expect(existsSync(join(at, "out.ndjson.part"))).toBe(true)
    expect(existsSync(join(at, "out.ndjson.checkpoint"))).toBe(false)
    isHeld = false
    requests.length = 0
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests.flatMap((request) => request.ids)).toEqual(ids)
    expect(readdirSync(at).sort()).toEqual(["errors", "ids", "out.ndjson"])
  })

  it.each(["out.ndjson", "out.csv", "out.sqlite#t", "out.duckdb#t"])(
    "starts over by the same command after a run into %s that could not save its first position",
    async (output) => {
      const { at, ids } = setUp(3)
      const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
      const args = [...details, "-o", output, "--errors", "errors", "-q"]
      // The size of files has a limit: a database cannot be written. The name of a checkpoint is refused.
      const first = output.includes("#")
        ? await runLimited(1, args, { cwd: at, env })
        : await run(args, { cwd: at, env: { ...env, NODE_OPTIONS: preload, REFUSED_RENAME: "checkpoint$" } })
      expect(first.code).toBe(1)
      expect(first.stderr).toMatch(
        /^(?:chemstream: cannot write [^\n]+\n)?chemstream: cannot write [^\n]+; no position was saved before, so nothing is kept, and the same command starts over\n$/
      )
      // A SQLite database without tables stays.
      expect(readdirSync(at).filter((name) => name !== "out.sqlite")).toEqual(["ids"])
      requests.length = 0
      expect(await run(args, { cwd: at, env })).toEqual({ code: 0, stdout: "", stderr: "" })
      expect(requests.flatMap((request) => request.ids)).toEqual(ids)
      expect(readdirSync(at).sort()).toEqual(["errors", "ids", output.replace("#t", "")].sort())
    }
  )

  it("says after a stop under --no-resume to omit this option", async () => {
    const { at, first, again } = await stopped("--no-resume")
    expect(first.stderr).toMatch(
      /the position in out\.ndjson\.checkpoint\. Run the command without --no-resume to continue\n$/
    )
    const rest = await again()
    expect(rest).toMatchObject({ code: 0 })
    expect(rest.stderr).toMatch(/^chemstream: continuing at 50 of 100 /)
    expect(readdirSync(at).sort()).toEqual(["ids", "out.ndjson"])
  })

  it.each<readonly [string, (at: string) => void, string]>([
    [
      "a results file that is too short",
      (at) => truncateSync(join(at, "out.ndjson.part"), 7),
      "out.ndjson.part is damaged: it has 7 bytes, and had 2,385"
    ],
    [
      "no results file",
      (at) => rmSync(join(at, "out.ndjson.part")),
      "out.ndjson.part is missing, and its 2,385 bytes cannot be continued"
    ],
    [
      "a checkpoint that is cut short",
      (at) => truncateSync(join(at, "out.ndjson.checkpoint"), 60),
      "out.ndjson.checkpoint is damaged, or from another version of chemstream"
    ]
  ])("is not continued with %s, and says that --no-resume starts over", async (_, spoil, reason) => {
    const { at, again } = await stopped()
    spoil(at)
    expect(await again()).toEqual({
      code: 2,
      stdout: "",
      stderr: `chemstream: cannot continue the run: ${reason}. Add --no-resume to start over\n`
    })
    expect(await again("--no-resume", "-q")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(readdirSync(at).sort()).toEqual(["ids", "out.ndjson"])
  })

  it("names each option that differs, by its flag", async () => {
    const { again } = await stopped()
    const refused = await again(
      ...[
        "--errors",
        "errors",
        "--fields",
        "dtxsid",
        "--no-ordered",
        "--key",
        "id",
        "--projection",
        "compact"
      ]
    )
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toBe(
      'chemstream: cannot continue the run of out.ndjson.checkpoint: --projection is "compact" now, and was not given; --fields is "dtxsid" now, and was not given; --ordered is off now, and was on; --key is "id" now, and was not given; --errors is "errors" now, and was not given. Give the same command as before, or add --no-resume to start over\n'
    )
  })

  it("names --keep with its value, and no option that only follows from it", async () => {
    const { again } = await stopped()
    const refused = await again("--keep", "rt,name=given")
    expect(refused.stderr).toContain(': --keep is "rt,name=given" now, and was not given. Give')
  })

  it("names both errors files if they differ, and continues with the first", async () => {
    const { at, again } = await stopped("--errors", "first.errors")
    const refused = await again("--errors", "other.errors")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain('--errors is "other.errors" now, and was "first.errors". Give')
    expect(await again("--errors", "first.errors", "-q")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(readdirSync(at).sort()).toEqual(["first.errors", "ids", "out.ndjson"])
  })

  it("reports for another input that lines or kept columns differ", async () => {
    const { at, ids, again } = await stopped()
    writeFileSync(join(at, "ids"), ids.toReversed().join("\n"))
    expect((await again()).stderr).toBe(
      "chemstream: the input differs from that of the run to continue: its first 50 lines, not counting blank lines and comments, differ in a value, a line number or a kept column. Give the same input as before, or add --no-resume to start over\n"
    )
    writeFileSync(join(at, "ids"), `${ids[0]}\n`)
    expect((await again()).stderr).toContain(
      "it has 1 line, not counting blank lines and comments, and the earlier run read at least 50. Give"
    )
  })
})
