/** Explains why a line has no value, and what to do. `lineValues.ts` finds these lines. */
import { Quote } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import * as RowDetection from "./rowDetection.ts"

/** The fault and the error of an object without any of the fields. */
export const noField = (fields: ReadonlyArray<string>, line: number, option = "--key") => {
  const lacking = fields.map((name) => JSON.stringify(name)).join(" or ")
  const hint = `name the field to use with ${option} FIELD`
  if (lacking === "") {
    return { fault: `it is an object: ${hint}`, error: `line ${line} is an object: ${hint}` }
  }
  return {
    fault: `the object has no field ${lacking}`,
    error: `the object in line ${line} has no field ${lacking}: ${hint}`
  }
}

/** Names the kind of a value that is neither text nor a number. */
export const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value === "boolean") return String(value)
  return "neither text nor a number"
}

/** Returns the text of an object as it is written in its line. */
export const lineOf = (object: RawRecord.RawRecord): string => RawRecord.toText(object).trim()

/** The fault of a line that starts like an object but is not valid JSON. */
export const noJson = (object: RawRecord.RawRecord): string => {
  const checked = RawRecord.check(object)
  const at = Result.isFailure(checked) ? `, wrong at byte ${checked.failure.offset + 1}` : ""
  const text = lineOf(object)
  return `${Quote.value(text)} starts as a JSON object but is not valid JSON${at}`
}

/** The error of `--key` where a line is not an object. */
export const noObject = (line: number): string =>
  `line ${line} is not an object: omit --key if each line is a value. --key names a field of JSON objects, or a column of a table`

/** The error of a line that is a row of a table, or has several identifiers. `option` names the column. */
export const notOneValue = (cells: ReadonlyArray<string>, line: number, option = "--key"): string => {
  const [shown, rest] = [cells.slice(0, mostShown), cells.length - mostShown]
  const names = `${shown.map((cell) => Quote.value(cell)).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
  const what = cells.every(RowDetection.isExact)
    ? `line ${line} has ${cells.length} values: ${names}. Give one value a line, or all to chemstream resolve with --split`
    : `line ${line} looks like a row of a table, with the cells ${names}. Put a header above the rows, and name the column with ${option} COLUMN`
  return `${what}. If the line is one value, put quotes around it`
}

/** The most cells of a row in a message. */
const mostShown = 5

/** Returns the error for `--keep` without fields or columns. */
export const nothingToKeep = (what: string): string =>
  `--keep needs JSON objects or a table, and ${what} is neither: give NDJSON, give a table with --key COLUMN, or omit --keep`

/** The error of a line that does not belong to an errors file. */
export const notOfErrors = (line: number): string =>
  `line ${line} is not a line of an errors file: {"id","outcome","error","line"}`
