import { once } from "node:events"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cleanUp, folder, run, serve } from "./process.ts"
import { lines, scripted } from "./scripted.ts"
import { hasTerminal, onTerminal } from "./terminal.ts"

const id = "DTXSID7020182"

/** Text that clears the screen, sets the title, starts a sequence, writes backwards and ends a line. */
const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eabc\u2066\u007f\u2028\u200f"

const isUnsafe = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Expects that a text has the words, and no control sequence. */
const expectHarmless = (text: string, ...words: ReadonlyArray<string>): void => {
  expect(JSON.stringify(isUnsafe.exec(text)?.[0] ?? null), JSON.stringify(text)).toBe("null")
  for (const word of words) expect(text).toContain(word)
}

const problem = (status: number, detail: string) => ({
  status,
  body: JSON.stringify({ type: "about:blank", title: `title ${evil}`, status, detail, suggestions: [evil] })
})

describe("messages", { concurrent: true }, () => {
  it.each([400, 401, 403, 404, 429, 500, 503])(
    "escape the detail, title and suggestions of a problem: %i",
    async (status) => {
      const { env } = await scripted(() => problem(status, `detail ${evil}`))
      const ended = await run(["details", id, "--retries", "0"], { env })
      expectHarmless(ended.stderr)
      const all = await run(["all", "--retries", "0", "--wait", "0"], { env })
      expectHarmless(all.stderr)
      const doctor = await run(["doctor"], { env })
      expectHarmless(doctor.stdout + doctor.stderr)
      const show = await run(["show", id, "--retries", "0"], { env })
      expectHarmless(show.stderr)
    }
  )

  it("escape the detail, which stays readable", async () => {
    const { env } = await scripted(() => problem(500, `detail ${evil}`))
    const ended = await run(["details", id, "--retries", "0"], { env })
    expectHarmless(ended.stderr, "\\u001b[2J", "\\u009b31m", "\\u202eabc")
  })

  it("escape the page of a gateway", async () => {
    const server = createServer((_, response) => {
      response.writeHead(403, { "content-type": "text/html" })
      response.end(`<html><head><title>Blocked ${evil}</title></head><body>${evil}</body></html>`)
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    cleanUp(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = await run(["details", id, "--retries", "0"], {
      env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "k" }
    })
    expect(ended.code).not.toBe(0)
    expectHarmless(ended.stderr)
  })

  it("escape identifiers, columns, file names and arguments", async () => {
    const at = folder()
    const { env } = await scripted(() => ({ body: "[]" }))
    writeFileSync(join(at, "ids"), `${evil}\n`)
    writeFileSync(join(at, "table.csv"), `"dtxsid","a${evil}"\n1,2\n`)
    writeFileSync(join(at, `ids${evil}`), `${evil}\n`)
    for (const args of [
      ["details", "--input", "ids"],
      ["details", "--input", "ids", "--strict-ids"],
      ["details", `x${evil}`],
      ["search", "equal", evil],
      ["details", "--input", `gone${evil}`],
      ["details", "--input", `ids${evil}`, "--errors", `ids${evil}`],
      ["details", id, "--output", `gone${evil}/x.ndjson`],
      ["details", id, "--output", `x.${evil}`],
      ["details", "--input", "table.csv"],
      ["details", "--input", "table.csv", "--key", `b${evil}`],
      ["details", id, "--fields", `a${evil}`],
      ["details", id, "--base-url", `http://${evil}`],
      ["details", id, "--api-key-file", `gone${evil}`],
      [`comm${evil}`],
      ["details", `--opt${evil}`],
      ["help", "errors", evil],
      ["show", evil],
      ["plot", "curve", evil],
      ["import", `gone${evil}`, "--kind", "details", "--database", "x.sqlite"],
      ["serve", "--database", `gone${evil}`],
      ["harvest", "status", evil]
    ]) {
      const ended = await run(args, { cwd: at, env })
      expectHarmless(ended.stderr)
      expect(ended.stderr === "" && ended.code !== 0, args.join(" ")).toBe(false)
    }
  })

  it("escape field names in warnings", async () => {
    const { env } = await scripted(() => ({
      body: JSON.stringify([{ dtxsid: id, [`n${evil}`]: 1, casrn: 1 }])
    }))
    const ended = await run(["details", id, "--any-fields", "--fields", `dtxsid,f${evil}`], { env })
    expectHarmless(ended.stderr, "\\u009b31m")
  })

  it("escape the source of a harvest, and the reason of a wait", async () => {
    const at = folder()
    writeFileSync(join(at, `ids${evil}`), `${id}\n`)
    const { env } = await scripted(() => problem(401, `detail ${evil}`))
    const args = [
      "harvest",
      "start",
      `h${evil}`,
      "--input",
      `ids${evil}`,
      "--output",
      "x.sqlite#t",
      "--retries",
      "0"
    ]
    const started = await run(args, { cwd: at, env })
    expect(started.code).toBe(3)
    expectHarmless(started.stderr, "h\\u001b[2J")
    const status = await run(["harvest", "status", `h${evil}`], { cwd: at, env })
    expectHarmless(status.stdout, "ids\\u001b[2J", "\\u009b31m")
    const list = await run(["harvest", "list"], { cwd: at, env })
    expectHarmless(list.stdout, "ids\\u001b[2J")
    const json = await run(["harvest", "status", `h${evil}`, "--json"], { cwd: at, env })
    expectHarmless(json.stdout)
    expect(JSON.parse(json.stdout)).toMatchObject({ name: `h${evil}`, source: `ids${evil}` })
  })

  it("escape the paths and request ids of the access log", async () => {
    const { service, url } = await serve()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    const raw = `GET /chemical/\u009b31m\u007f HTTP/1.1\r\nhost: x\r\nx-request-id: a\u0085b\r\nconnection: close\r\n\r\n`
    socket.end(Buffer.from(raw, "latin1"))
    await once(socket.resume(), "close")
    request(`${url}/last`).end()
    await service.says(/\/last/)
    expectHarmless(service.stderr())
  })

  it("are written only by modules that escape them", () => {
    const root = join(import.meta.dirname, "..", "src")
    const writers = globSync("**/*.ts", { cwd: root }).filter((file) =>
      /process\.std(?:out|err)\.write|console\.|writeSync\(/.test(readFileSync(join(root, file), "utf8"))
    )
    expect(writers.sort()).toEqual(["terminal/messages.ts", "terminal/progressBar.ts"])
  })
})

describe("records", { concurrent: true }, () => {
  const record = { dtxsid: id, preferredName: `name ${evil}`, casrn: "80-05-7" }
  const details = `"$NODE" "$COMMAND" details ${id} -q --any-fields --fields dtxsid,preferredName,casrn`

  it("are not changed on a pipe or in a file", async () => {
    const at = folder()
    const body = `[${JSON.stringify(record)}]`
    const { env } = await scripted(() => ({ body }))
    const args = ["details", id, "-q", "--validate", "off"]
    expect((await run(args, { env })).stdout).toBe(`${JSON.stringify(record)}\n`)
    const csv = await run([...args, "--format", "csv", "--any-fields", "--fields", "preferredName"], { env })
    expect(csv.stdout).toContain("\u009b31m\u202eabc")
    await run([...args, "--output", "out.ndjson"], { cwd: at, env })
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe(`${JSON.stringify(record)}\n`)
  })

  it.skipIf(!hasTerminal)("are the same JSON on a terminal, without control sequences", async () => {
    const { env } = await scripted(() => ({ body: `[${JSON.stringify(record)}]` }))
    for (const where of ["", "--output /dev/stdout", "--output /dev/tty"]) {
      const screen = await onTerminal(`${details} ${where}`, env)
      expectHarmless(screen, "\\u009b31m")
      expect(lines(screen)).toEqual([record])
    }
  })

  it.skipIf(!hasTerminal)("of a table are escaped on a terminal", async () => {
    const { env } = await scripted(() => ({ body: `[${JSON.stringify(record)}]` }))
    const screen = await onTerminal(`${details} --format csv`, env)
    expectHarmless(screen, "\\u001b[2J", "\\u009b31m")
    expect(screen.trimEnd().split("\n")).toHaveLength(2)
  })

  it.skipIf(!hasTerminal)(
    "and problems are escaped on a terminal where they go to standard error",
    async () => {
      const { env } = await scripted(() => problem(400, `detail ${evil}`))
      const screen = await onTerminal(`${details} --retries 0 --errors /dev/stderr`, env)
      expectHarmless(screen, "\\u009b31m")
    }
  )

  it.skipIf(!hasTerminal)("have no control sequence in cards, except that of the style", async () => {
    const { env } = await scripted(({ path }) => ({
      body: path.includes("/detail") ? `[${JSON.stringify(record)}]` : "[]"
    }))
    const screen = await onTerminal(`"$NODE" "$COMMAND" show ${id}`, env)
    expect(screen).toContain("\u001b[1m")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of the card
    expectHarmless(screen.replace(/\u001b\[\d+m/g, ""), "name")
    const piped = await run(["show", id], { env })
    expectHarmless(piped.stdout, "name")
  })

  it.skipIf(!hasTerminal)("have no control sequence in the progress bar, except its own", async () => {
    const at = folder()
    writeFileSync(join(at, `ids${evil}`), `${id}\n`)
    writeFileSync(join(at, "name"), `ids${evil}`)
    const { env } = await scripted(() => problem(401, `detail ${evil}`))
    const start = 'harvest start h --input "$(cat name)" --output x.sqlite#t --retries 0'
    const screen = await onTerminal(`"$NODE" "$COMMAND" ${start}`, env, at)
    expect(screen).toContain("\r\u001b[2K")
    expectHarmless(screen.replaceAll("\r\u001b[2K", "").replaceAll("\r", ""), "\\u009b31m")
  })
})
