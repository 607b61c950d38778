import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { type Ended, folder, run } from "./process.ts"
import { has } from "./programs.ts"

const shells = ["bash", "zsh", "fish"]

const printed = new Map<string, Promise<Ended>>()

/** The output of the command for a shell. It is always the same, so the command runs once. */
const completions = (shell: string): Promise<Ended> => {
  const ended = printed.get(shell) ?? run(["--completions", shell])
  printed.set(shell, ended)
  return ended
}

/** The completions of a shell in a file. */
const script = async (shell: string): Promise<string> => {
  const { code, stderr, stdout } = await completions(shell)
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  const file = join(folder(), `chemstream.${shell}`)
  writeFileSync(file, stdout)
  return file
}

describe("chemstream --completions", { concurrent: true }, () => {
  it.each(shells)("lists in %s the commands, their subcommands, options and choices", async (shell) => {
    const { stdout } = await completions(shell)
    for (const word of [
      "details",
      "start-with",
      "validate",
      "unset",
      "projection",
      "ntatoolkit",
      "inchikey"
    ]) {
      expect(stdout).toContain(word)
    }
  })

  it.each(shells.filter(has))("is a script that %s accepts", async (shell) => {
    const file = await script(shell)
    expect(execFileSync(shell, ["-n", file], { stdio: "pipe" }).toString()).toBe("")
  })

  it.skipIf(!has("zsh"))("is registered in zsh as the completion of the command", async () => {
    const file = await script("zsh")
    const program = `autoload -Uz compinit; compinit -D -u; source ${file}; print $_comps[chemstream]`
    const known = execFileSync("zsh", ["-f", "-c", program], { stdio: ["ignore", "pipe", "ignore"] })
    expect(known.toString().trim()).toMatch(/^_chemstream/)
  })

  it.skipIf(!has("bash"))("completes a line in bash", async () => {
    const file = await script("bash")
    const complete = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
      const line = words.join(" ")
      const program = [
        `source ${file}`,
        `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
        `COMP_CWORD=${words.length - 1} COMP_LINE='${line}' COMP_POINT=${line.length}`,
        "name=$(complete -p chemstream | sed 's/.*-F \\([^ ]*\\).*/\\1/')",
        `$name chemstream '${words.at(-1)}' '${words.at(-2)}'`,
        `printf '%s\\n' "\${COMPREPLY[@]}"`
      ].join("\n")
      return execFileSync("bash", ["--norc", "-c", program], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .split("\n")
        .map((word) => word.trim())
        .filter((word) => word !== "")
    }
    expect(complete("chemstream", "va")).toEqual(["validate"])
    expect(complete("chemstream", "config", "se")).toEqual(["set"])
    expect(complete("chemstream", "details", "--proj")).toEqual(["--projection"])
    expect(complete("chemstream", "details", "--projection", "nta")).toEqual(["ntatoolkit"])
    expect(complete("chemstream", "help", "se")).toEqual(["search", "serve"])
    expect(complete("chemstream", "help", "search", "e")).toEqual(["equal"])
    expect(complete("chemstream", "help", "errors", "RateL")).toEqual(["RateLimited"])
    expect(complete("chemstream", "retry", "x.ndjson", "--", "")).toEqual([
      "details",
      "search",
      "formula",
      "msready",
      "synonyms",
      "bioactivity",
      ...["hazard", "exposure", "properties", "fate", "lists", "assays", "files", "extra", "links"],
      "resolve",
      "suspects"
    ])
    expect(complete("chemstream", "retry", "x.ndjson", "--", "details", "--proj")).toEqual(["--projection"])
  })

  it.skipIf(!has("bash"))("leaves file names to bash if it has no suggestion itself", async () => {
    const file = await script("bash")
    const known = execFileSync("bash", ["--norc", "-c", `source ${file}; complete -p chemstream`])
    expect(known.toString()).toContain(" -o default ")
  })

  it.skipIf(!has("zsh"))("completes a line in zsh", async () => {
    const file = await script("zsh")
    const cwd = folder()
    writeFileSync(join(cwd, "only.ndjson"), "")
    // zsh completes lines only in a terminal, so this uses a pseudo-terminal. A key binding writes the completed
    // line.
    const program = [
      "zmodload zsh/zpty",
      `zpty shell "cd ${cwd}; PS1= zsh -f"`,
      "say() { zpty -w -n shell $1 }",
      `say 'autoload -Uz compinit; compinit -D -u; source ${file}'$'\n'`,
      `say 'show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^T" show; print rea""dy'$'\n'`,
      "zpty -r -m shell shown '*ready*'",
      "say \"$1\"$'\\t\\x14'",
      "zpty -r -m shell shown '*<chemstream*>*'",
      'print -r -- "$shown"'
    ].join("\n")
    const complete = (line: string): string =>
      execFileSync("zsh", ["-f", "-c", program, "zsh", line], { timeout: 20_000 })
        .toString()
        .replace(/^.*<|>.*$/gs, "")
        .trim()
    expect(complete("chemstream help synon")).toBe("chemstream help synonyms")
    expect(complete("chemstream details --output on")).toBe("chemstream details --output only.ndjson")
    expect(complete("chemstream retry on")).toBe("chemstream retry only.ndjson")
    expect(complete("chemstream retry only.ndjson -- syn")).toBe("chemstream retry only.ndjson -- synonyms")
    expect(complete("chemstream retry only.ndjson -- details --projection nta")).toBe(
      "chemstream retry only.ndjson -- details --projection ntatoolkit"
    )
  })

  it.skipIf(!has("fish"))("completes a line in fish", async () => {
    const file = await script("fish")
    const complete = (line: string): ReadonlyArray<string> =>
      execFileSync("fish", ["--no-config", "-c", `source ${file}; complete -C '${line}'`])
        .toString()
        .split("\n")
        .map((word) => word.split("\t")[0] ?? "")
        .filter((word) => word !== "")
    expect(complete("chemstream va")).toEqual(["validate"])
    expect(complete("chemstream details --projection nta")).toEqual(["ntatoolkit"])
    expect(complete("chemstream help synon")).toEqual(["synonyms"])
    expect(complete("chemstream help errors RateL")).toEqual(["RateLimited"])
    expect(complete("chemstream retry x.ndjson -- synon")).toEqual(["synonyms"])
    expect(complete("chemstream retry x.ndjson -- details --projection nta")).toEqual(["ntatoolkit"])
  })

  it("knows every option that names a file or a folder", async () => {
    const { stdout } = await completions("fish")
    const manual = readFileSync(fileURLToPath(new URL("../man/chemstream.1", import.meta.url)), "utf8")
    const options = [
      ...manual.matchAll(/^(?:\\fB\\-[a-z]\\fP, )?\\fB\\-\\-([a-z\\-]+)\\fP \\fI(?:FILE|DIR|FOLDER)\\fP$/gm)
    ].map(([, name = ""]) => name.replaceAll("\\", ""))
    expect(options).toContain("output")
    for (const option of new Set(options))
      expect(stdout).toMatch(new RegExp(` -l ${option} [^\n]*-r -F$`, "m"))
  })

  it("refuses an unknown shell in one line", async () => {
    const ended = await run(["--completions", "csh"])
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: [^\n]*bash[^\n]*\n$/)
  })
})
