/**
 * Lines to values: runs of lines are turned into text at once and parsed one by one, which costs one decoder call a
 * run; a line on its own says exactly what is wrong with it.
 */
import { LF } from "./ascii.ts"
import { check } from "./check.ts"
import type { Handled, Handler, Refusal } from "./lines.ts"
import { decodeStrict, invalidUtf8At } from "./text.ts"

const BLANK = /^[ \t\r]*$/

const encoder = new TextEncoder()

const line = (bytes: Uint8Array, start: number, end: number, out: Array<unknown>): Refusal | undefined => {
  let text: string
  try {
    text = decodeStrict(bytes, start, end)
  } catch {
    const index = invalidUtf8At(bytes, start, end)
    return { reason: "invalid-utf8", detail: "it is not UTF-8", index }
  }
  try {
    out.push(JSON.parse(text))
    return undefined
  } catch (cause) {
    const fault = check(bytes, start, end)
    const detail = fault?.detail ?? (cause instanceof Error ? cause.message : String(cause))
    return { reason: "invalid-json", detail, index: fault?.index }
  }
}

const run = (bytes: Uint8Array, start: number, end: number, out: Array<unknown>): number | Handled => {
  let text: string
  try {
    text = decodeStrict(bytes, start, end)
  } catch {
    return lineByLine(bytes, start, end, out)
  }
  let lines = 0
  let at = 0
  while (at < text.length) {
    const lf = text.indexOf("\n", at)
    // Blank lines are rare, so they are looked for only behind a first character that could be one.
    if (text.charCodeAt(at) > 0x20 || !BLANK.test(text.slice(at, lf))) {
      try {
        out.push(JSON.parse(text.slice(at, lf)))
      } catch {
        return { lines, bytes: encoder.encode(text.slice(0, at)).length }
      }
    }
    lines++
    at = lf + 1
  }
  return lines
}

// The lines before the one that is not UTF-8.
const lineByLine = (bytes: Uint8Array, start: number, end: number, out: Array<unknown>): Handled => {
  const bad = invalidUtf8At(bytes, start, end)
  const lineStart = bad === start ? start : bytes.lastIndexOf(LF, bad - 1) + 1
  if (lineStart <= start) return { lines: 0, bytes: 0 }
  const handled = run(bytes, start, lineStart, out)
  return typeof handled === "number" ? { lines: handled, bytes: lineStart - start } : handled
}

/** Parses every line with `JSON.parse`. */
export const values: Handler<unknown> = { line, run }
