/**
 * What a record is written with beside what the service answered: the line of the input that it is of, the value asked
 * for as it was given, and fields of the object that the value stood in. Nothing unless asked for.
 */
import { RawRecord } from "@chemstream/ndjson"
import type { Outcome } from "@chemstream/stream"
import { Option, Result } from "effect"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import * as Bar from "../terminal/bar.ts"

/** A field of the input that is carried, and its name in the output. */
export interface Carried {
  readonly field: string
  readonly name: string
}

/** What is written with each record. */
export interface Joining {
  readonly withLine: boolean
  readonly withQuery: boolean
  readonly keep: ReadonlyArray<Carried>
}

/** Nothing is. */
export const nothing: Joining = { withLine: false, withQuery: false, keep: [] }

/** The fields of `--keep A,B=NAME`; none where they are not well written. Quoted names may hold commas and `=`. */
export const parse = (text: string): Option.Option<ReadonlyArray<Carried>> => {
  const all: Array<Carried> = []
  let rest = text
  for (;;) {
    const part = onePart.exec(rest)
    if (part === null) return Option.none()
    const field = unquoted(part[1] ?? "")
    all.push({ field, name: part[2] === undefined ? field : unquoted(part[2]) })
    rest = rest.slice(part[0].length)
    if (rest === "") break
    rest = rest.slice(1)
  }
  const names = new Set(all.map(({ name }) => name))
  return all.some(({ field, name }) => field === "" || name === "") || names.size < all.length
    ? Option.none()
    : Option.some(all)
}

/** A field and its name, up to the comma or the end: each in quotes, or without commas, quotes and `=`. */
const onePart = /^\s*("(?:[^"]|"")*"|[^",=]+?)\s*(?:=\s*("(?:[^"]|"")*"|[^",=]+?)\s*)?(?=,|$)/

const unquoted = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word

const quoted = (word: string): string =>
  /[",=]|^\s|\s$/.test(word) ? `"${word.replaceAll('"', '""')}"` : word

/** The fields as `--keep` takes them. */
const toText = (keep: ReadonlyArray<Carried>): string =>
  keep
    .map(({ field, name }) => (name === field ? quoted(field) : `${quoted(field)}=${quoted(name)}`))
    .join(",")

/** The names of what is written, in order. */
export const namesOf = ({ keep, withLine, withQuery }: Joining): ReadonlyArray<string> => [
  ...(withLine ? ["line"] : []),
  ...(withQuery ? ["query"] : []),
  ...keep.map(({ name }) => name)
]

/** Whether values that repeat are left out by default: not where each row is asked for something of its own. */
export const dedupes = (joining: Joining): boolean => namesOf(joining).length === 0

/** What makes two runs write the same. */
export const identityOf = ({ keep, withLine, withQuery }: Joining) => ({
  withLine,
  withQuery,
  keep: keep.length === 0 ? null : toText(keep)
})

/**
 * A name that is written twice, of those that a record has for certain or may have as the contract says; undefined where
 * there is none.
 */
export const clash = (joining: Joining, fields: ReadonlyArray<string>): CommandFailure | undefined => {
  // Lookups that say the value asked say it as it was given.
  const { keep, withLine } = joining
  const own = [...(withLine ? ["line"] : []), ...keep.map(({ name }) => name)]
  const names = namesOf(joining)
  const name = names.find((one, at) => names.indexOf(one) < at) ?? own.find((one) => fields.includes(one))
  return name === undefined ? undefined : refusal(name, keep)
}

const refusal = (name: string, keep: ReadonlyArray<Carried>): CommandFailure => {
  const field = keep.find((one) => one.name === name)?.field
  return usage(
    field === undefined
      ? `--with-line would write a second field ${JSON.stringify(name)}: choose the fields of the records with --fields A,B,C`
      : `--keep ${toText([{ field, name: field }])} would write a second field ${JSON.stringify(name)}: give it another name, e.g. --keep ${toText([{ field, name: `input_${field}` }])}`
  )
}

/** The record of an outcome with what is written with it, or why that cannot be. What is no object stays as it is. */
export const join = (
  joining: Joining
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
    const twice = fields.find(([name]) => RawRecord.value(record, name) !== undefined)
    if (twice !== undefined) return Result.fail(refusal(twice[0], keep))
    return Result.succeed(Result.getOrElse(RawRecord.prepend(record, fields), () => record))
  }
}

/** Looks after what values take along: a field that none of them came with is most likely a slip. */
export const watch = (
  keep: ReadonlyArray<Carried>
): {
  readonly look: (carried: unknown) => void
  /** Says at the end which there were none of. */
  readonly end: () => void
} => {
  const lacking = new Set(keep)
  let isSeen = false
  return {
    look: (carried) => {
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
      Bar.say(`chemstream: warning: --keep: no value of this run came with the field ${names}\n`)
    }
  }
}
