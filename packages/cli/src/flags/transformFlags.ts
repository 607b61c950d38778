/**
 * The options that change records: join, flat, where, top, wide. `tables/recordTransforms.ts` applies them in this order.
 */
import { Transform } from "@chemstream/ndjson"
import { type Command, Flag } from "effect/cli"
import * as JoinedFields from "../output/joinedFields.ts"
import { optional, optionalText, parsedText, switchFlag, whole } from "./flagTypes.ts"
import * as NameList from "./nameList.ts"
import * as runFlags from "./runFlags.ts"

/** A field to order by, and its direction. */
export interface By {
  readonly field: string
  readonly direction: "ascending" | "descending"
}

/** A condition of a record. */
export interface Where extends Transform.Condition {}

/** The fields with the names of columns, and the field with their values. */
export interface Wide {
  readonly name: ReadonlyArray<string>
  readonly value: string
}

/** Matches a field, also in quotes, an operator, and a value. */
const condition =
  /^\s*("(?:[^"]|"")+"|'(?:[^']|'')+'|[^"'=<>!][^"=<>!]*?)\s*(!=|<=|>=|<|>|=)(?![=<>])\s*(.*?)\s*$/s

/** Matches a word in the quotes of shells, of SQL, or of a text program. */
const inQuotes = /^(?:"(.*)"|'(.*)'|[“„](.*)[”“]|[‘‚](.*)[’‘])$/s

/** Removes the quotes around a word. */
const unquoted = (word: string): string => {
  const [, double, single, ...typographic] = inQuotes.exec(word.trim()) ?? []
  return (
    double?.replaceAll('""', '"') ??
    single?.replaceAll("''", "'") ??
    typographic.find((text) => text !== undefined) ??
    word.trim()
  )
}

const conditionOf = (text: string): Where | undefined => {
  const [, field = "", operator, value = ""] = condition.exec(text) ?? []
  if (operator === undefined || isDecimalComma(value)) return undefined
  return {
    field: unquoted(field),
    operator: operator as Transform.Condition["operator"],
    value: unquoted(value)
  }
}

/** Says how a condition is written, or its number. */
const conditionAdvice = (text: string): string => {
  const [, , , value = ""] = condition.exec(text) ?? []
  return isDecimalComma(value)
    ? `a number with a point, ${value.replace(",", ".")}; or put quotes around the value, if it is a text`
    : `a field, one of ${Transform.OPERATORS.join(" ")}, and a value: 'dose <= 5'`
}

/** Whether a text is a number with a decimal comma, which no program here reads as a number. */
export const isDecimalComma = (text: string): boolean => /^[+-]?\d+,\d+$/.test(text)

const byOf = (text: string): By | undefined => {
  const [, field = "", direction] = /^(.*?)\s*(?::(asc|desc))?$/s.exec(text) ?? []
  return unquoted(field) === ""
    ? undefined
    : { field: unquoted(field), direction: direction === "desc" ? "descending" : "ascending" }
}

/** The value follows the last `=`, because names of properties may have one. */
const wideOf = (text: string): Wide | undefined => {
  const [, names = "", value = ""] = /^(.+)=("(?:[^"]|"")*"|[^="]+)$/s.exec(text.trim()) ?? []
  const name = NameList.parse(names)
  return name === undefined || name.length === 0 || unquoted(value) === ""
    ? undefined
    : { name, value: unquoted(value) }
}

/** An option of fields, each also with another name. */
const pairs = (name: string, description: string) =>
  optional(
    parsedText(
      name,
      "A,B=NAME",
      description,
      JoinedFields.parse,
      "names of fields separated by commas: A,B or A=NAME"
    )
  )

/** The options. */
export const flags = {
  join: optionalText(
    "join",
    "FILE",
    "File whose fields are added to the records with the same --on; a record without a match stays as it is"
  ),
  on: pairs("on", "Fields that are equal in both files, A, or A in the records and NAME in --join"),
  add: pairs("add", "Fields of --join to add, also under another name [default: all but --on]"),
  flat: switchFlag("flat", "Make a field of each field of nested objects, as mc5Param.ac50"),
  where: parsedText(
    "where",
    "'FIELD OP VALUE'",
    "Keep the records with = != < <= > or >= this value; repeated, all must hold. A number compares by value, other text by character; an empty value is null or absent",
    conditionOf,
    conditionAdvice
  ).pipe(Flag.atLeast(0)),
  top: whole("top", 1).pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("Keep the first N records by --by, of each --per [default: all records]"),
    optional
  ),
  by: parsedText(
    "by",
    "FIELD[:desc]",
    "Order of the records, or of --top: ascending or :desc; numbers before other text, null last. Alone, it sorts them",
    byOf,
    "a field, also with :asc or :desc"
  ).pipe(optional),
  per: NameList.list(
    "per",
    "A,B",
    "Fields whose equal values make a group of --top, or a row of --wide [default of --wide: dtxsid]"
  ),
  wide: parsedText(
    "wide",
    "NAME,UNIT=VALUE",
    "A row for each --per, with a column for each NAME, further fields in brackets behind it; several values of a column become an array",
    wideOf,
    "the field of the names, and that of the values: propName=propValue"
  ).pipe(optional),
  fields: runFlags.files.fields.pipe(
    Flag.withDescription("Fields to write, in this order, also paths as mc5Param.ac50 [default: all]")
  )
}

/** The options as given. */
export type Given = Command.Command.Config.Infer<typeof flags>
