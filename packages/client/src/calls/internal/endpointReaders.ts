/** Reads the responses of an endpoint: records, checked against its schema, in the forms that deployments send. */
import { Row } from "@chemstream/api"
import { Result, Schema } from "effect"
import { type BodyReader, file, json, textsIn } from "../../BodyReader.ts"
import { listOf, oneOf, orNothing, refine, scalars } from "./shapeReaders.ts"

/** The readers of a form of the records. */
export interface EndpointReaders {
  /** Reads the response to one value. Undefined: it has no record. */
  readonly single: () => BodyReader<unknown>
  /** Reads the response to a batch. */
  readonly batch: () => BodyReader<ReadonlyArray<unknown>>
}

const readersOfEndpoints = new WeakMap<Row.Row, Map<string | undefined, EndpointReaders>>()

/** Returns the readers of an endpoint in a form. They are made once, when they are first used. */
export const readersOf = (row: Row.Row, form: string | undefined): EndpointReaders => {
  const forms = readersOfEndpoints.get(row) ?? new Map<string | undefined, EndpointReaders>()
  readersOfEndpoints.set(row, forms)
  const known = forms.get(form)
  if (known !== undefined) return known
  const { record = row.record } = row.forms?.[form ?? row.form ?? ""] ?? {}
  const readers = {
    single: lazy(() => singleReader(row, form, (row.get.part?.record ?? record)() as unknown as Decoder)),
    batch: lazy(
      () => json(Schema.Array(record() as unknown as Decoder)) as BodyReader<ReadonlyArray<unknown>>
    )
  }
  forms.set(form, readers)
  return readers
}

type Decoder = Schema.ConstraintDecoder<unknown>

const singleReader = (row: Row.Row, form: string | undefined, record: Decoder): BodyReader<unknown> => {
  const { alsoSent = [], body } = row.get
  if (body !== undefined) return file(body)
  const read = valueReader(row, form, record)
  return row.miss === "nothing" || alsoSent.includes("nothing") ? orNothing(read) : read
}

/** Makes the reader of the response to one value, by the form of the answer. */
const valueReader = (row: Row.Row, form: string | undefined, record: Decoder): BodyReader<unknown> => {
  const { answer = row.get.answer } = row.forms?.[form ?? row.form ?? ""] ?? {}
  if (row.members !== undefined) return members(row.members)
  if (!Row.isList(row, form)) {
    return answer === "either" || row.get.alsoSent?.includes("list") ? oneOf(record) : json(record)
  }
  if (answer === "list") {
    return Row.scalarOf(row, form) === undefined ? json(Schema.Array(record)) : scalars(record)
  }
  const read = listOf(record)
  return row.miss === "empty" ? refine(read, (values) => Result.succeed(values ?? [])) : read
}

/** Reads the texts in a field of one object. */
const members = (field: string): BodyReader<ReadonlyArray<string>> =>
  refine(
    oneOf(Schema.Struct({ [field]: Schema.Union([Schema.String, Schema.Array(Schema.String)]) })),
    (response) => Result.succeed(textsIn(response?.[field]))
  )

const lazy = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
