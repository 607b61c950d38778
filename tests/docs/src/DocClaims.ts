// What the comments of a documentation block claim, and the block rewritten so that a run checks it.
//
//   EXPRESSION // => VALUE            the expression, or what a `const` is set to, deeply equals VALUE
//   console.log(a, b) // text         prints exactly this text; all lines of it when it prints several times
//   await run(program)                what the statement makes other code print, where no comment of its own claims it
//   // text
//
// The comment stands at the end of the statement (not in the third form), or alone on the lines right below it; so a
// comment below such a statement that is not its output needs a blank line before it. `Console.log` of effect counts.
// A VALUE that is not a JavaScript expression is prose, as is a `console.log` no comment claims: these are counted,
// and only executed. Every value has to be reached. Lines stay where they are. Types are left to DocTypes.

import { parseSync } from "vite"

/** What one comment says; `line` counts from 1 in the block. */
export interface Claim {
  readonly line: number
  readonly kind: "value" | "print" | "prose"
  readonly text: string
}

/** The module to execute, whose calls of `docs__` name claims by their index; `problem` when it is no module. */
export interface Plan {
  readonly module: string
  readonly claims: ReadonlyArray<Claim>
  readonly problem?: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** A comment, or several alone on consecutive lines. */
interface Remark {
  readonly start: number
  readonly line: number
  readonly alone: boolean
  readonly texts: ReadonlyArray<string>
}

const runs = /\bawait\b|\brun\w*\(/
const runsOn = /^(?!.*\bawait\b).*\brun(?:Main|Fork|Promise)\w*\(/s

/** Reads a block. */
export const plan = (code: string): Plan => {
  const { program, comments, errors } = parseSync("block.ts", code)
  const problem = errors[0]?.message
  if (problem !== undefined) return { module: code, claims: [], problem: `does not parse: ${problem}` }
  const nodes = walk(program)
  const claims: Array<Claim> = []
  const edits: Array<{ readonly at: number; readonly text: string }> = []
  const printing = new Set<Node>()
  const top = new Set<unknown>(program.body)
  let claimed = false

  const statements = nodes.filter(({ type }) => /Statement$|^VariableDeclaration$/.test(type))
  const prints = nodes.filter(
    ({ type, start, end }) => type === "MemberExpression" && /^[cC]onsole\.log$/.test(code.slice(start, end))
  )
  for (const remark of remarks(code, comments)) {
    const value = /^=>\s*(.*)$/s.exec(remark.texts.join("\n"))?.[1]
    const above = statements.filter(({ end }) => end <= remark.start)
    const end = Math.max(...above.map((statement) => statement.end))
    const attached =
      lineAt(code, end) === (remark.alone ? remark.line - 1 : remark.line)
        ? above.filter((statement) => statement.end === end)
        : []
    const printer = attached.find(({ type }) => type !== "VariableDeclaration" && type !== "BlockStatement")
    const printed = prints.filter(
      (call) =>
        printer !== undefined && call.start >= printer.start && call.end <= printer.end && !printing.has(call)
    )
    if (printed.length > 0) {
      for (const call of printed) {
        printing.add(call)
        edits.push({ at: call.start, text: `docs__.printer(${claims.length}, ` })
        edits.push({ at: call.end, text: ")" })
      }
      claims.push({ line: remark.line, kind: "print", text: value ?? remark.texts.join("\n") })
    } else if (value === undefined) {
      const runner = attached.find((one) => one.type === "ExpressionStatement" && top.has(one))
      const text = runner === undefined ? "" : code.slice(runner.start, runner.end)
      if (!remark.alone || runner === undefined || !runs.test(text)) continue
      if (prints.every((call) => printing.has(call))) continue
      edits.push({ at: runner.start, text: `docs__.from(${claims.length}); ` })
      // What is started without being waited for prints later, up to the end of the block.
      if (!runsOn.test(text)) edits.push({ at: runner.end, text: "; docs__.to()" })
      claims.push({ line: remark.line, kind: "print", text: remark.texts.join("\n") })
      claimed = true
    } else {
      const expression = shortestExpression(value)
      const target = attached.map(subjectOf).find((node) => node !== undefined)
      if (target === undefined)
        return { module: code, claims, problem: `line ${remark.line}: "// =>" follows no value` }
      if (expression !== undefined) {
        edits.push({ at: target.start, text: `docs__.equal(${claims.length}, (` })
        edits.push({ at: target.end, text: `), () => (${expression.replaceAll("\n", " ")}))` })
      }
      claims.push({ line: remark.line, kind: expression === undefined ? "prose" : "value", text: value })
    }
  }
  for (const call of claimed ? [] : prints.filter((one) => !printing.has(one)))
    claims.push({ line: lineAt(code, call.start), kind: "prose", text: "prints what no comment says" })
  const module = edits
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), code)
  return { module, claims }
}

/** What a `// =>` speaks of: an expression statement's expression, the initial value of a single declaration. */
const subjectOf = (statement: Node): Node | undefined => {
  if (statement.type === "ExpressionStatement") return (statement as Node & { expression: Node }).expression
  if (statement.type !== "VariableDeclaration") return undefined
  const { declarations } = statement as Node & { declarations: ReadonlyArray<{ init: Node | null }> }
  return declarations.length === 1 ? (declarations[0]?.init ?? undefined) : undefined
}

/** The fewest lines that are one expression; `undefined` for prose. */
const shortestExpression = (text: string): string | undefined => {
  const lines = text.split("\n")
  return lines.map((_, index) => lines.slice(0, index + 1).join("\n")).find(isExpression)
}

const isExpression = (text: string): boolean => {
  const { program, errors } = parseSync("value.ts", `(${text}\n)`)
  return errors.length === 0 && program.body.length === 1 && program.body[0]?.type === "ExpressionStatement"
}

const remarks = (
  code: string,
  comments: ReadonlyArray<{
    readonly type: string
    readonly value: string
    readonly start: number
  }>
): ReadonlyArray<Remark> => {
  const found: Array<Remark> = []
  for (const { type, value, start } of comments) {
    if (type !== "Line") continue
    const line = lineAt(code, start)
    const alone = code.slice(code.lastIndexOf("\n", start - 1) + 1, start).trim() === ""
    const text = value.replace(/^ /, "").trimEnd()
    const last = found.at(-1)
    if (alone && last?.alone && last.line + last.texts.length === line)
      found[found.length - 1] = { ...last, texts: [...last.texts, text] }
    else found.push({ start, line, alone, texts: [text] })
  }
  return found
}

const lineAt = (code: string, offset: number): number =>
  Number.isFinite(offset) ? code.slice(0, offset).split("\n").length : 0

/** All nodes below one, outer before inner. */
const walk = (value: unknown): ReadonlyArray<Node> => {
  if (Array.isArray(value)) return value.flatMap(walk)
  if (typeof value !== "object" || value === null) return []
  const below = Object.values(value).flatMap(walk)
  return "type" in value && "start" in value ? [value as Node, ...below] : below
}
