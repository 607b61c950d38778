/**
 * Parses lines: one (`line`), or a run of many whole lines (`run`). A run of short lines is decoded to text in one call, then
 * parsed line by line. A bad line is decoded alone, to say exactly what is wrong.
 *
 * Long lines are decoded one by one. In a run, one character beyond Latin-1 makes V8 store the whole text with two
 * bytes per character, which parses at half the speed.
 */

import { indexOf } from "../../internal/byteSearch.ts"
import { decodeStrict, invalidUtf8At } from "../../internal/decodeText.ts"
import { LF } from "../../internal/jsonBytes.ts"
import { check } from "../../raw/internal/jsonGrammar.ts"
import type { Handler, PartialRun, Refusal } from "./lineCutter.ts"

// The longest string of V8. A longer line can stay raw, but cannot be parsed.
const LONGEST_TEXT = 0x1fffffe8

const BLANK = /^[ \t\r]*$/

const encoder = new TextEncoder()

/** From this mean length, in bytes, lines are decoded one by one: the decoder call costs little in comparison. */
const LONG_LINE = 1024

/** The number of lines that decide whether a run has long lines. */
const FIRST_LINES = 4

/** Parses one line. Returns why it is refused, if it is. */
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

/**
 * Parses whole lines, each with its LF: long lines one by one, and all others together as soon as the lines are short. Returns their
 * number, or the part before a bad line.
 */
const run = (bytes: Uint8Array, start: number, end: number, out: Array<unknown>): number | PartialRun => {
  let at = start
  let lines = 0
  for (; at < end && (lines < FIRST_LINES || at - start > lines * LONG_LINE); lines++) {
    const lf = indexOf(bytes, LF, at)
    try {
      put(decodeStrict(bytes, at, lf), out)
    } catch {
      return { lines, bytes: at - start }
    }
    at = lf + 1
  }
  if (at === end) return lines
  const rest = shortLines(bytes, at, end, out)
  return typeof rest === "number"
    ? lines + rest
    : { lines: lines + rest.lines, bytes: at - start + rest.bytes }
}

const shortLines = (
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Array<unknown>
): number | PartialRun => {
  let text: string
  try {
    text = decodeStrict(bytes, start, end)
  } catch {
    return linesBeforeBad(bytes, start, end, out)
  }
  let lines = 0
  let at = 0
  while (at < text.length) {
    const lf = text.indexOf("\n", at)
    try {
      put(text.slice(at, lf), out)
    } catch {
      return { lines, bytes: encoder.encode(text.slice(0, at)).length }
    }
    lines++
    at = lf + 1
  }
  return lines
}

// Parses a line that is not blank. Blank lines are rare, so only lines that start with white space are checked.
const put = (text: string, out: Array<unknown>): void => {
  if (text.charCodeAt(0) > 0x20 || !BLANK.test(text)) out.push(JSON.parse(text))
}

// Parses the lines before the one with invalid UTF-8.
const linesBeforeBad = (bytes: Uint8Array, start: number, end: number, out: Array<unknown>): PartialRun => {
  const bad = invalidUtf8At(bytes, start, end)
  const lineStart = bad === start ? start : bytes.lastIndexOf(LF, bad - 1) + 1
  if (lineStart <= start) return { lines: 0, bytes: 0 }
  const handled = shortLines(bytes, start, lineStart, out)
  return typeof handled === "number" ? { lines: handled, bytes: lineStart - start } : handled
}

/** Parses every line with `JSON.parse`. */
export const values: Handler<unknown> = { line, run, maxBytes: LONGEST_TEXT }
