// Reads the claims in the comments of a documentation block. Rewrites the block so that its run checks them.
//
//   EXPRESSION // => VALUE            the expression, or the value of a `const`, deeply equals VALUE
//   console.log(a, b) // text         prints exactly this text, in all its calls together
//   await run(program)                code that the statement runs prints this text, except claimed output
//   // text
//
// The comment is at the end of the statement (not in the third form), or on the lines right below it. So any other comment
// below such a statement needs a blank line before it. `Console.log` of effect counts, too. A VALUE that is not a JavaScript
// expression is prose, and so is a `console.log` without a comment. Prose is counted, but not checked. Every value must be
// reached. Line numbers stay the same. `DocTypes.ts` checks the types.

import { parseSync } from "vite"

/** The claim of one comment. `line` counts from 1 in the block. */
export interface Claim {
  readonly line: number
  readonly kind: "value" | "print" | "prose"
  readonly text: string
}

/** The module to execute, which names claims by index in calls of `docs__`. `problem`: the block is not a module. */
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

/** An insertion into the code of a block. */
interface Edit {
  readonly at: number
  readonly text: string
}

/** A parsed block, and the calls of `console.log` that a comment claims so far. */
interface Block {
  readonly code: string
  readonly statements: ReadonlyArray<Node>
  readonly prints: ReadonlyArray<Node>
  readonly top: ReadonlySet<unknown>
  readonly printing: Set<Node>
}

/** The claim of a comment, with the edits that check it. `isRun`: it claims the output of a whole statement. */
interface Reading {
  readonly claim: Claim
  readonly edits: ReadonlyArray<Edit>
  readonly isRun?: boolean
}

/** Reads a block. */
export const plan = (code: string): Plan => {
  const { program, comments, errors } = parseSync("block.ts", code)
  const problem = errors[0]?.message
  if (problem !== undefined) return { module: code, claims: [], problem: `does not parse: ${problem}` }
  const nodes = walk(program)
  const block: Block = {
    code,
    statements: nodes.filter(({ type }) => /Statement$|^VariableDeclaration$/.test(type)),
    prints: nodes.filter(
      ({ type, start, end }) =>
        type === "MemberExpression" && /^[cC]onsole\.log$/.test(code.slice(start, end))
    ),
    top: new Set<unknown>(program.body),
    printing: new Set()
  }
  const readings: Array<Reading> = []
  for (const remark of remarks(code, comments)) {
    const reading = read(block, remark, readings.length)
    if (reading === "no value") {
      const claims = readings.map(({ claim }) => claim)
      return { module: code, claims, problem: `line ${remark.line}: "// =>" follows no value` }
    }
    if (reading !== undefined) readings.push(reading)
  }
  const unclaimed = readings.some(({ isRun }) => isRun === true)
    ? []
    : block.prints.filter((one) => !block.printing.has(one))
  const claims = [
    ...readings.map(({ claim }) => claim),
    ...unclaimed.map(
      ({ start }): Claim => ({
        line: lineAt(code, start),
        kind: "prose",
        text: "prints a text without a comment"
      })
    )
  ]
  return {
    module: edited(
      code,
      readings.flatMap(({ edits }) => edits)
    ),
    claims
  }
}

/** Reads a comment. Its claim gets this index. Undefined: the comment claims nothing. */
const read = (block: Block, remark: Remark, index: number): Reading | "no value" | undefined => {
  const { code, prints, printing, statements } = block
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
    for (const call of printed) printing.add(call)
    return {
      claim: { line: remark.line, kind: "print", text: value ?? remark.texts.join("\n") },
      edits: printed.flatMap((call) => [
        { at: call.start, text: `docs__.printer(${index}, ` },
        { at: call.end, text: ")" }
      ])
    }
  }
  return value === undefined
    ? readRun(block, remark, attached, index)
    : readValue(remark, attached, value, index)
}

/** Reads a comment that claims the output of the statement above it. */
const readRun = (
  { code, prints, printing, top }: Block,
  remark: Remark,
  attached: ReadonlyArray<Node>,
  index: number
): Reading | undefined => {
  const runner = attached.find((one) => one.type === "ExpressionStatement" && top.has(one))
  const text = runner === undefined ? "" : code.slice(runner.start, runner.end)
  if (!remark.alone || runner === undefined || !runs.test(text)) return undefined
  if (prints.every((call) => printing.has(call))) return undefined
  return {
    claim: { line: remark.line, kind: "print", text: remark.texts.join("\n") },
    edits: [
      { at: runner.start, text: `docs__.from(${index}); ` },
      // A statement that is not awaited prints later, up to the end of the block.
      ...(runsOn.test(text) ? [] : [{ at: runner.end, text: "; docs__.to()" }])
    ],
    isRun: true
  }
}

/** Reads a comment that claims a value. */
const readValue = (
  remark: Remark,
  attached: ReadonlyArray<Node>,
  value: string,
  index: number
): Reading | "no value" => {
  const expression = shortestExpression(value)
  const target = attached.map(subjectOf).find((node) => node !== undefined)
  if (target === undefined) return "no value"
  if (expression === undefined) return { claim: { line: remark.line, kind: "prose", text: value }, edits: [] }
  return {
    claim: { line: remark.line, kind: "value", text: value },
    edits: [
      { at: target.start, text: `docs__.equal(${index}, (` },
      { at: target.end, text: `), () => (${expression.replaceAll("\n", " ")}))` }
    ]
  }
}

/** Inserts the edits into the code. */
const edited = (code: string, edits: ReadonlyArray<Edit>): string =>
  edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), code)

/** Returns the value of a `// =>`: an expression statement, or the initial value of a single declaration. */
const subjectOf = (statement: Node): Node | undefined => {
  if (statement.type === "ExpressionStatement") return (statement as Node & { expression: Node }).expression
  if (statement.type !== "VariableDeclaration") return undefined
  const { declarations } = statement as Node & { declarations: ReadonlyArray<{ init: Node | null }> }
  return declarations.length === 1 ? (declarations[0]?.init ?? undefined) : undefined
}

/** Returns the fewest lines that are one expression. Undefined for prose. */
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

/** Returns all nodes below one, outer before inner. */
const walk = (value: unknown): ReadonlyArray<Node> => {
  if (Array.isArray(value)) return value.flatMap(walk)
  if (typeof value !== "object" || value === null) return []
  const below = Object.values(value).flatMap(walk)
  return "type" in value && "start" in value ? [value as Node, ...below] : below
}
