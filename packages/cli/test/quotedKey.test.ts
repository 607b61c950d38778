import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answerTo, setUp } from "./checkpointed.ts"
import { type Ended, run } from "./process.ts"
import { scripted } from "./scripted.ts"

const key = 'sEcReT-/"key"+1'
const traces = [/secret/i, /key%22/i]

/** Runs the command with the key, in its folder. */
const withKey = (args: ReadonlyArray<string>, cwd: string, env: Record<string, string>): Promise<Ended> =>
  run(args, { cwd, env: { ...env, CHEMSTREAM_API_KEY: key } })

/** All output and files of a command, by name. */
const written = (at: string, { stderr, stdout }: Ended): ReadonlyArray<readonly [string, string]> => [
  ["standard output", stdout],
  ["standard error", stderr],
  ...readdirSync(at).map((name) => [name, readFileSync(join(at, name), "utf8")] as const)
]

const expectNoKey = (texts: ReadonlyArray<readonly [string, string]>): void => {
  for (const [name, text] of texts) for (const trace of traces) expect(text, name).not.toMatch(trace)
}

describe("the key that a service quotes", { concurrent: true }, () => {
  it("does not appear in standard error, errors file, checkpoint or summary of a run", async () => {
    const { at, ids } = setUp(30)
    const poisonous = ids[11] ?? ""
    const { env } = await scripted(({ ids: asked }, number) => {
      if (number > 12) return { status: 401, body: JSON.stringify({ detail: `Key ${key} not found.` }) }
      return asked.includes(poisonous)
        ? {
            status: 400,
            body: JSON.stringify({
              title: `bad request of ${key}`,
              instance: `/x?key=${encodeURIComponent(key)}`
            })
          }
        : { body: answerTo(asked) }
    })
    const files = ["-o", "out", "--errors", "errors", "--checkpoint", "saved", "--json-summary", "summary"]
    const batches = ["--batch-size", "2", "--concurrency", "1", "--retries", "0"]
    const ended = await withKey(["details", "-i", "ids", ...batches, ...files], at, env)
    expect(ended.stderr).toContain("Key [redacted] not found.")
    const texts = written(at, ended)
    expect(texts.map(([name]) => name)).toContain("saved")
    expect(texts.find(([, text]) => text.includes("bad request of [redacted]"))).toBeDefined()
    expectNoKey(texts)
  })

  it("does not appear in suggestions for a name, or in the output of `doctor`", async () => {
    const { at } = setUp(1)
    const { env } = await scripted(() => ({
      status: 400,
      body: JSON.stringify({ detail: "Found 0 results for 'x'.", suggestions: [`x ${key}`, "y"] })
    }))
    const name = await withKey(["search", "start-with", "x", "--errors", "errors", "--retries", "0"], at, env)
    const doctor = await withKey(["doctor"], at, env)
    expect(readFileSync(join(at, "errors"), "utf8")).toContain("x [redacted]")
    expectNoKey([...written(at, name), ...written(at, doctor)])
  })
})
