// Writes docs/progress.svg: a run on a terminal, recorded. `node scripts/picture.ts`, after a change of what a run prints
// and with the command bundled; it needs tmux, which gives the command a real terminal to draw on. The screens follow
// each other in the time they took.

import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

interface Screen {
  readonly text: string
  /** Milliseconds it is shown. */
  lasts: number
}

const columns = 100
const rows = 12
const every = 200
const socket = `chemstream-picture-${process.pid}`
const bin = join(import.meta.dirname, "..", "..", "..", "node_modules", ".bin")
const folder = mkdtempSync(join(tmpdir(), "chemstream-picture-"))
const keys = { CHEMSTREAM_API_KEY: "a-key", CHEMSTREAM_API_KEYS: "a-key" }
const { CI: _, NO_COLOR: __, ...inherited } = process.env
const env = { ...inherited, ...keys, PATH: `${bin}:${process.env["PATH"]}`, PS1: "$ " }

const tmux = (...args: ReadonlyArray<string>): string =>
  execFileSync("tmux", ["-L", socket, ...args], { cwd: folder, encoding: "utf8", env })

const screens: Array<Screen> = []
const record = async (milliseconds: number): Promise<void> => {
  for (let passed = 0; passed < milliseconds; passed += every) {
    await wait(every)
    const text = tmux("capture-pane", "-p").trimEnd()
    const last = screens.at(-1)
    if (last?.text === text) last.lasts += every
    else screens.push({ text, lasts: every })
  }
}

const toXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** The screens as one picture; where nothing moves, the last one is seen. */
const toSvg = (all: ReadonlyArray<Screen>): string => {
  const line = 18
  const width = columns * 7.9 + 24
  const height = rows * line + 20
  const total = all.reduce((sum, { lasts }) => sum + lasts, 0)
  let begin = 0
  const groups = all.map(({ lasts, text }, index) => {
    const from = ((begin / total) * 100).toFixed(2)
    begin += lasts
    const to = ((begin / total) * 100).toFixed(2)
    const isLast = index === all.length - 1
    const lines = text
      .split("\n")
      .map((one, row) => (one === "" ? "" : `<text x="12" y="${(row + 1) * line + 6}">${toXml(one)}</text>`))
    const frames = isLast
      ? `0%{opacity:0}${from}%,100%{opacity:1}`
      : `0%{opacity:${index === 0 ? 1 : 0}}${from}%{opacity:1}${to}%,100%{opacity:0}`
    return {
      css: `@keyframes f${index}{${frames}}#s${index}{animation:f${index} ${total / 1000}s step-end infinite}`,
      svg: `<g id="s${index}"${isLast ? "" : ' opacity="0"'}>${lines.join("")}</g>`
    }
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>chemstream details with a bar, ended by Ctrl-C and continued by the same command</title>
<style>text{font:13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}
@media(prefers-reduced-motion:no-preference){${groups.map(({ css }) => css).join("\n")}}</style>
<rect width="100%" height="100%" rx="8" fill="#20242c"/>
${groups.map(({ svg }) => svg).join("\n")}
</svg>
`
}

const service = spawn("chemstream", ["serve", "--port", "0", "--no-access-log"], {
  cwd: folder,
  env,
  stdio: ["ignore", "ignore", "pipe"]
})
try {
  const url = await new Promise<string>((resolve) => {
    service.stderr.setEncoding("utf8").on("data", (text: string) => {
      const found = /serves at (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  Object.assign(env, { CHEMSTREAM_BASE_URL: url })
  execFileSync("chemstream", ["all", "--projection", "all-ids", "-q", "-o", "ids.ndjson"], {
    cwd: folder,
    env
  })
  // A shell that is told its prompt, because one without settings does not take it from the environment.
  const prompt = join(folder, "prompt")
  writeFileSync(prompt, "PS1='$ '\n")
  const shell = `bash --noprofile --rcfile ${prompt}`
  tmux("-f", "/dev/null", "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, shell)
  await wait(500)
  tmux("send-keys", "chemstream details -i ids.ndjson -o out.ndjson \\", "Enter")
  await wait(200)
  tmux("send-keys", "  --batch-size 20 --concurrency 1 --rate 5/s", "Enter")
  await record(1800)
  tmux("send-keys", "C-c")
  await record(1600)
  tmux("send-keys", "clear", "Enter", "Up", "Up")
  await record(1000)
  tmux("send-keys", "Enter")
  await record(4800)
  writeFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "progress.svg"), toSvg(screens))
} finally {
  try {
    tmux("kill-server")
  } catch {
    // It was never started.
  }
  service.kill()
  rmSync(folder, { recursive: true, force: true })
}
