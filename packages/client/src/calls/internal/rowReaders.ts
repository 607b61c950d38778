/** Reads the responses of a row: records, checked against its schema, in the forms that deployments send. */
import type { Row } from "@chemstream/api"
import { Result, Schema } from "effect"
import { type BodyReader, file, json } from "../BodyReader.ts"
import { identifiers, listOf, oneOf, oneOrNothing, orNothing, refine } from "./readers.ts"

/** The readers of a form of the records. */
export interface RowReaders {
  /** Reads the response to one value. Undefined: it has no record. */
  readonly single: () => BodyReader<unknown>
  /** Reads the response to a batch. */
  readonly batch: () => BodyReader<ReadonlyArray<unknown>>
}

const readersOfRows = new WeakMap<Row.Row, Map<string | undefined, RowReaders>>()

/** Returns the readers of a row in a form. They are made once, when they are first used. */
export const readersOf = (row: Row.Row, form: string | undefined): RowReaders => {
  const forms = readersOfRows.get(row) ?? new Map<string | undefined, RowReaders>()
  readersOfRows.set(row, forms)
  const known = forms.get(form)
  if (known !== undefined) return known
  const { answer = row.get.answer, record = row.record } = row.forms?.[form ?? row.form ?? ""] ?? {}
  const readers = {
    single: lazy(() => singleReader(row, answer, record() as unknown as Decoder)),
    batch: lazy(
      () => json(Schema.Array(record() as unknown as Decoder)) as BodyReader<ReadonlyArray<unknown>>
    )
  }
  forms.set(form, readers)
  return readers
}

type Decoder = Schema.ConstraintDecoder<unknown>

const singleReader = (row: Row.Row, answer: Row.Answer, record: Decoder): BodyReader<unknown> => {
  const { alsoSent = [], body } = row.get
  if (body !== undefined) return file(body)
  const isMany = row.multiplicity === "many"
  if (row.members !== undefined) return members(row.members)
  if (answer === "list") {
    const read = isMany && row.scalar !== undefined ? identifiers : json(Schema.Array(record))
    return row.miss === "nothing" ? orNothing(read) : read
  }
  if (answer === "either" && isMany) return listOf(record)
  if (alsoSent.includes("nothing")) return oneOrNothing(record)
  return answer === "either" || alsoSent.includes("list") ? oneOf(record) : json(record)
}

/** Reads the texts in a field of one object: a list, or one text with commas. */
const members = (field: string): BodyReader<ReadonlyArray<string>> =>
  refine(
    oneOf(Schema.Struct({ [field]: Schema.Union([Schema.String, Schema.Array(Schema.String)]) })),
    (response) => Result.succeed(response === undefined ? [] : textsOf(response[field] ?? []))
  )

const textsOf = (texts: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof texts === "string"
    ? texts.split(",").flatMap((text) => (text.trim() === "" ? [] : [text.trim()]))
    : texts

const lazy = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
