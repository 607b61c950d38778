/**
 * Joins fields of the input to records: the line number (`--with-line`), the value (`--with-query`), and fields of the input row
 * (`--keep`). Default: none. `parse` reads lists of fields with other names, also those of `convert --on` and `--add`.
 */
import { Quote } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import type { Outcome } from "@chemstream/stream"
import { Result } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as ProgressBar from "../terminal/progressBar.ts"

/** A field of the input to keep, and its name in the output. */
export interface KeptField {
  readonly field: string
  readonly name: string
}

/** The fields to join to each record. */
export interface JoinedFields {
  readonly withLine: boolean
  readonly withQuery: boolean
  readonly keep: ReadonlyArray<KeptField>
}

/** Joins no fields. */
export const none: JoinedFields = { withLine: false, withQuery: false, keep: [] }

/** Parses the fields of `--keep A,B=NAME`. Undefined: they are malformed. Quoted names may contain commas and `=`. */
export const parse = (text: string): ReadonlyArray<KeptField> | undefined => {
  const all: Array<KeptField> = []
  let rest = text
  for (;;) {
    const part = onePart.exec(rest)
    if (part === null) return undefined
    const field = unquoted(part[1] ?? "")
    all.push({ field, name: part[2] === undefined ? field : unquoted(part[2]) })
    rest = rest.slice(part[0].length)
    if (rest === "") break
    rest = rest.slice(1)
  }
  const names = new Set(all.map(({ name }) => name))
  return all.some(({ field, name }) => field === "" || name === "") || names.size < all.length
    ? undefined
    : all
}

/** Matches one field and its name, up to a comma or the end. Each is in quotes, or has no comma, quote or `=`. */
const onePart = /^\s*("(?:[^"]|"")*"|[^",=]+?)\s*(?:=\s*("(?:[^"]|"")*"|[^",=]+?)\s*)?(?=,|$)/

const unquoted = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word

const quoted = (word: string): string =>
  /[",=]|^\s|\s$/.test(word) ? `"${word.replaceAll('"', '""')}"` : word

/** Returns the fields in the form of `--keep`. */
const toText = (keep: ReadonlyArray<KeptField>): string =>
  keep
    .map(({ field, name }) => (name === field ? quoted(field) : `${quoted(field)}=${quoted(name)}`))
    .join(",")

/** The names of the joined fields, in order. */
export const namesOf = ({ keep, withLine, withQuery }: JoinedFields): ReadonlyArray<string> => [
  ...(withLine ? ["line"] : []),
  ...(withQuery ? ["query"] : []),
  ...keep.map(({ name }) => name)
]

/** Whether duplicates are skipped by default. They are not skipped if each row gets its own fields. */
export const dedupes = (joining: JoinedFields): boolean => namesOf(joining).length === 0

/** The settings that must be equal to continue a run. */
export const identityOf = ({ keep, withLine, withQuery }: JoinedFields) => ({
  withLine,
  withQuery,
  keep: keep.length === 0 ? null : toText(keep)
})

/**
 * Returns a failure if a joined field has the name of another joined field, or of a field of the contract. Undefined: no names clash.
 */
export const clash = (joining: JoinedFields, fields: ReadonlyArray<string>): CommandFailure | undefined => {
  // `query` is not compared: a record with this field already has the value as it was given.
  const { keep, withLine } = joining
  const own = [...(withLine ? ["line"] : []), ...keep.map(({ name }) => name)]
  const names = namesOf(joining)
  const name = names.find((one, at) => names.indexOf(one) < at) ?? own.find((one) => fields.includes(one))
  return name === undefined ? undefined : refusal(name, keep)
}

const refusal = (name: string, keep: ReadonlyArray<KeptField>): CommandFailure => {
  const field = keep.find((one) => one.name === name)?.field
  return usageFailure(
    field === undefined
      ? `--with-line would write a second field ${Quote.value(name)}: choose the fields of the records with --fields A,B,C`
      : `--keep ${toText([{ field, name: field }])} would write a second field ${Quote.value(name)}: give it another name, e.g. --keep ${toText([{ field, name: `input_${field}` }])}`
  )
}

/** Joins the fields to a record, or fails if the record has a field of this name. A value that is not an object stays unchanged. */
export const join = (
  joining: JoinedFields
): ((
  record: RawRecord.RawRecord,
  outcome: Outcome.Place
) => Result.Result<RawRecord.RawRecord, CommandFailure>) => {
  const { keep, withLine, withQuery } = joining
  if (namesOf(joining).length === 0) return (record) => Result.succeed(record)
  return (record, { carried, given, id, line }) => {
    const fields: Array<readonly [string, RawRecord.RawRecord]> = []
    if (withLine) fields.push(["line", RawRecord.fromText(String(line))])
    if (withQuery && RawRecord.value(record, "query") === undefined) {
      fields.push(["query", RawRecord.fromText(JSON.stringify(given ?? id))])
    }
    const values = RawRecord.isRawRecord(carried)
      ? Result.getOrElse(RawRecord.entries(carried), () => [])
      : []
    for (const { name } of keep) {
      const value = values.findLast(({ key }) => key === name)?.value
      fields.push([name, value ?? RawRecord.fromText("null")])
    }
    const duplicate = fields.find(([name]) => RawRecord.value(record, name) !== undefined)
    if (duplicate !== undefined) return Result.fail(refusal(duplicate[0], keep))
    return Result.succeed(Result.getOrElse(RawRecord.prepend(record, fields), () => record))
  }
}

/** Watches the kept fields, and warns about a field that no value has: it is most likely misspelt. */
export const watch = (
  keep: ReadonlyArray<KeptField>
): {
  readonly inspect: (carried: unknown) => void
  /** Prints the warning at the end. */
  readonly end: () => void
} => {
  const lacking = new Set(keep)
  let isSeen = false
  return {
    inspect: (carried) => {
      if (lacking.size === 0 || !RawRecord.isRawRecord(carried)) return
      isSeen = true
      for (const one of lacking) {
        const value = RawRecord.value(carried, one.name)
        if (value !== undefined && value !== null) lacking.delete(one)
      }
    },
    end: () => {
      if (lacking.size === 0 || !isSeen) return
      const names = [...lacking].map(({ field }) => JSON.stringify(field)).join(", ")
      ProgressBar.say(`chemstream: warning: --keep: no value of this run has the field ${names}\n`)
    }
  }
}
