/**
 * How lookups are made of the endpoints, and how answers are read.
 *
 * Answers are cut into raw records, which are read for their identifier and for the kinds of their values in the same
 * pass: an answer of another structure is malformed, and so is tried again by the client. Under `strict` the whole text
 * is checked down to the last digit, too. Before any identifier is called missing, the response is searched for records
 * hidden by damage.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { type Batch, Outcome as Core, Reconcile } from "@chemstream/batch"
import { type BodyReader, CallObserver, ChemClient, ChemError, Endpoint } from "@chemstream/client"
import { RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Effect, Result, Schema } from "effect"
import type { Inspection, Lookup } from "../Lookup.ts"

type Raw = RawRecord.RawRecord

/** Parses an identifier, and checks its check digit where it has one. */
export interface IdentifierKind {
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  readonly verify: Lookup<Raw>["verify"]
}

/** An identifier kind without a check digit. */
export const unverified = (parse: IdentifierKind["parse"]): IdentifierKind => ({
  parse,
  verify: Result.succeed
})

/** What a response holds: its records by identifier, its other records, and what it suggests for what it lacks. */
export interface Read<R = Raw> {
  readonly records: ReadonlyArray<Reconcile.Keyed<R>>
  /** The records that belong to no identifier as far as the response itself tells. */
  readonly surplus?: ReadonlyArray<Core.Surplus>
  /** Why the service has more records than the response. */
  readonly truncated?: Core.Truncation | undefined
  readonly suggestions?: ReadonlyMap<string, ReadonlyArray<string>>
}

/** How the answer to a batch is read, and what the contract says of its records, whose values are of type `A`. */
export interface Reader<out A = unknown> extends Pick<Lookup<RawRecord.RawRecord<A>>, "asGiven" | "key"> {
  readonly schema: Schema.Schema<A>
  readonly read: (ids: ReadonlyArray<string>, validate: Inspection["validate"]) => BodyReader.BodyReader<Read>
  /** The field that says whose a record is: records without it get the identifier asked for. Default: none do. */
  readonly field?: string | undefined
}

/** A lookup through an endpoint. */
export const lookup = <const N extends Endpoint.Name, A>(options: {
  readonly endpoint: N
  readonly kind: IdentifierKind
  /** The most values in a call, where that is less than the contract allows. */
  readonly size?: number
  readonly multiplicity: Reconcile.Multiplicity
  readonly request: (ids: ReadonlyArray<string>) => Endpoint.Unchecked<N>
  readonly answer: Reader<A>
  /** What is asked for beside the identifiers. */
  readonly parameters?: Lookup<Raw>["parameters"]
}): Lookup<RawRecord.RawRecord<A>> => {
  const { answer, endpoint, parameters, request } = options
  const made: Lookup<Raw> = {
    endpoint,
    ...options.kind,
    size: options.size ?? Endpoint.largestBatch(endpoint),
    multiplicity: options.multiplicity,
    schema: answer.schema,
    key: answer.key,
    asGiven: answer.asGiven,
    parameters,
    ask: (ids, inspection) =>
      CallObserver.counted((attempts) =>
        Effect.map(send(endpoint, request(ids), marked(answer.read(ids, inspection.validate))), (read) =>
          identified(answer.field, answerOf(endpoint, read, attempts(), inspection))
        )
      )
  }
  // Records are cut from the text: only the contract knows of what type they are.
  return made as Lookup<RawRecord.RawRecord<A>>
}

/** Reads a response with what is known of its completeness. */
const marked =
  (read: BodyReader.BodyReader<Read>): BodyReader.BodyReader<Read> =>
  (body, truncated) =>
    truncated === undefined ? read(body) : Result.map(read(body), (found) => ({ ...found, truncated }))

/** Puts the identifier in front of each record that has none in its field: a line by itself says whose it is. */
const identified = (
  field: string | undefined,
  answer: Batch.CallResult<Raw, ChemError.ChemError>
): Batch.CallResult<Raw, ChemError.ChemError> => {
  if (field === undefined) return answer
  const own = ({ key, record }: Reconcile.Keyed<Raw>): Raw =>
    record instanceof RawShape.Reading && record.key !== undefined
      ? record
      : Result.getOrElse(
          RawRecord.prepend(record, [[field, RawRecord.fromText(JSON.stringify(key))]]),
          () => record
        )
  return { ...answer, records: answer.records.map((keyed) => ({ key: keyed.key, record: own(keyed) })) }
}

/** What an endpoint for one value makes of the only value of a batch. */
export const one =
  <A>(use: (id: string) => A): ((ids: ReadonlyArray<string>) => A) =>
  ([id]) =>
    use(id as string)

/**
 * Reads an array of objects that carry an identifier in `field`, spelt as `canonical` has it, and whose fields are of
 * the kinds that the schema has.
 */
export const keyedBy = <A>(
  field: string,
  canonical: (value: unknown) => string | undefined,
  schema: Schema.Schema<A>
): Reader<A> => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  // Without its first quote: a search for a quote would stop at every string.
  const endOfField = JSON.stringify(field).slice(1)
  const sort = (
    ids: ReadonlyArray<string>,
    answered: ReadonlyArray<RawShape.Reading>
  ): Result.Result<Read, BodyReader.BodyFault> => {
    const isAsked = Reconcile.requested(ids)
    const records: Array<Reconcile.Keyed<Raw>> = []
    const surplus: Array<Core.Surplus> = []
    let isExpected = answered.length === 0
    for (const record of answered) {
      // Mostly spelt as it was asked for.
      const spelt = record.key
      const isKnown = typeof spelt === "string" && isAsked(spelt)
      const key = isKnown ? spelt : canonical(spelt)
      if (key === undefined) {
        surplus.push(Core.surplus("unidentified", record))
        continue
      }
      isExpected ||= isKnown || isAsked(key)
      records.push({ key, record })
    }
    return isExpected
      ? Result.succeed({ records, surplus })
      : Result.fail({ path: field, reason: "no record is of an identifier that was asked for" })
  }
  return {
    read: (ids, validate) => (body) =>
      Result.flatMap(readings(body, validate === "off" ? unchecked : shape, validate), (cut) =>
        Result.flatMap(sort(ids, cut), (read) =>
          validate === "strict" || !lacksAny(ids, read.records) || hidesNone(body, endOfField, cut.length)
            ? Result.succeed(read)
            : checkEach(cut, read)
        )
      ),
    schema,
    key: field
  }
}

/** Whether an identifier has no record, told without a set where the answer is short or in the order asked. */
const lacksAny = (ids: ReadonlyArray<string>, records: ReadonlyArray<Reconcile.Keyed<unknown>>): boolean => {
  if (records.length < ids.length) return true
  if (ids.every((id, at) => id === records[at]?.key)) return false
  const answered = new Set(records.map(({ key }) => key))
  return ids.some((id) => !answered.has(id))
}

/**
 * Whether no record is hidden inside another one: a damaged quote hides the end of a record, and the next one in it. The
 * hidden record's identifier field still stands in the body, so there are then more of these than records.
 */
const hidesNone = (body: Uint8Array, endOfField: string, records: number): boolean =>
  RawRecord.occurrences(RawRecord.fromBytes(body), endOfField) === records

/** Checks that each record is JSON to the last digit, before an identifier without a record is called missing. */
const checkEach = <A>(
  cut: ReadonlyArray<RawShape.Reading>,
  read: A
): Result.Result<A, BodyReader.BodyFault> => {
  for (const record of cut) {
    const checked = RawRecord.check(record)
    if (Result.isFailure(checked)) return Result.fail(problem(checked.failure))
  }
  return Result.succeed(read)
}

/**
 * Reads the records of one value: an array of objects, or one object alone, whose fields are of the kinds that the schema
 * has. `field` is the one that says whose a record is: a record without it gets the identifier asked for, so that its line
 * by itself says whose it is.
 */
export const shaped = <A, F extends string = never>(
  schema: Schema.Schema<A>,
  field?: F
): Reader<A & { readonly [Name in F]: string | number }> => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  const read = (validate: Inspection["validate"]): BodyReader.BodyReader<ReadonlyArray<RawShape.Reading>> => {
    const expected = validate === "off" ? unchecked : shape
    return (body) => {
      const text = withoutMark(body)
      switch (kindOf(text)) {
        case "array":
          return readings(body, expected, validate)
        case "object":
          return Result.flatMap(wellFormed(text, validate), () =>
            Result.match(RawShape.read(expected, text), {
              onSuccess: (reading) => Result.succeed([reading]),
              onFailure: (error) => Result.fail(problem(error))
            })
          )
        default:
          return Result.fail(unexpected(kindOf(text)))
      }
    }
  }
  return {
    // With the field that is put in front.
    schema: schema as Schema.Schema<A & { readonly [Name in F]: string | number }>,
    field,
    read: ([id], validate) => ofOne(id, read(validate))
  }
}

/** Reads an empty body, too: it holds no record. Some services send one where they have nothing. */
export const orNothing = <A>(reader: Reader<A>): Reader<A> => ({
  ...reader,
  read: (ids, validate) => {
    const read = reader.read(ids, validate)
    return (body, truncated) =>
      body.every((byte) => byte <= 0x20) ? Result.succeed({ records: [] }) : read(body, truncated)
  }
})

/** Reads records that are all of the only value of a batch. */
export const ofOne =
  (id: string | undefined, read: BodyReader.BodyReader<ReadonlyArray<Raw>>): BodyReader.BodyReader<Read> =>
  (body) =>
    Result.map(read(body), (records) => ({
      records: records.map((record) => ({ key: id as string, record }))
    }))

const readings = (
  body: Uint8Array,
  shape: RawShape.RawShape,
  validate: Inspection["validate"]
): Result.Result<ReadonlyArray<RawShape.Reading>, BodyReader.BodyFault> =>
  Result.flatMap(wellFormed(withoutMark(body), validate), () =>
    Result.mapError(RawArray.cutLines(body, shape), problem)
  )

const wellFormed = (
  text: Raw,
  validate: Inspection["validate"]
): Result.Result<void, BodyReader.BodyFault> =>
  validate === "strict" ? Result.mapError(RawRecord.check(text), problem) : Result.void

/** The elements of an array. */
export const elements: BodyReader.BodyReader<ReadonlyArray<Raw>> = (body) =>
  Result.flatMap(checked(body), () => Result.mapError(RawArray.cut(body), problem))

/** The whole body as one checked JSON text, without a byte-order mark. */
export const checked: BodyReader.BodyReader<Raw> = (body) => {
  const text = withoutMark(body)
  return Result.match(RawRecord.check(text), {
    onSuccess: () => Result.succeed(text),
    onFailure: (error) => Result.fail(problem(error))
  })
}

const withoutMark = (body: Uint8Array): Raw =>
  RawRecord.fromBytes(startsWithMark(body) ? body.subarray(3) : body)

/** The record of a bare value: the value asked, and the answer under its name, its text as it came. */
export const bare = (query: string, name: string, value: Raw): Raw =>
  RawRecord.fromText(`${beginningOf(query)},"${name}":${RawRecord.toText(value).trim()}}`)

/** Reads an answer of bare values, which become records of `bare` under a name. */
export const barely = <const Name extends string, A>(
  name: Name,
  value: Schema.Schema<A>,
  read: (ids: ReadonlyArray<string>) => BodyReader.BodyReader<Read>
): Reader<Bare<Name, A>> => ({
  read,
  schema: Schema.Struct({
    query: Schema.String.annotate({ description: "The value asked for, as given" }),
    [name]: value
  }).annotate({ title: "Answer to a value" }) as unknown as Schema.Schema<Bare<Name, A>>,
  asGiven: askedAs
})

/** The record of a bare value. */
export type Bare<Name extends string, A> = { readonly query: string } & { readonly [N in Name]: A }

/** A record that begins with the value asked (`bare`), in the spelling in which that was given. */
export const askedAs = <A>(
  record: RawRecord.RawRecord<A>,
  id: string,
  given: string
): RawRecord.RawRecord<A> => {
  const text = RawRecord.toText(record)
  const beginning = beginningOf(id)
  return text.startsWith(beginning)
    ? RawRecord.fromText(`${beginningOf(given)}${text.slice(beginning.length)}`)
    : record
}

/** The substance of a record of `bare`. */
export const dtxsid = Schema.String.annotate({ description: "Substance identifier (DTXSID…)" })

/**
 * Reads a list of the substances (DTXSID) of one value, into records of `bare`. Leaves out the nulls that some services put
 * into the list.
 */
export const substances: Reader<Bare<"dtxsid", string>> = barely("dtxsid", dtxsid, ([value = ""]) =>
  ofOne(value, (body) =>
    Result.map(elements(body), (dtxsids) =>
      dtxsids.filter((dtxsid) => !isNull(dtxsid)).map((dtxsid) => bare(value, "dtxsid", dtxsid))
    )
  )
)

const isNull = (element: Raw): boolean => RawRecord.toText(element).trim() === "null"

const beginningOf = (query: string): string => `{"query":${JSON.stringify(query)}`

/** A text in the spelling that `parse` gives, or as it is where it is no identifier. */
export const canonical =
  (parse: IdentifierKind["parse"]) =>
  (value: unknown): string | undefined =>
    typeof value === "string" || typeof value === "number"
      ? Result.getOrElse(parse(String(value)), () => String(value))
      : undefined

export const kindOf = ({ bytes, end, start }: Raw): "array" | "object" | "bare value" => {
  let at = start
  while (at < end && (bytes[at] as number) <= 0x20) at++
  return bytes[at] === 0x5b ? "array" : bytes[at] === 0x7b ? "object" : "bare value"
}

export const unexpected = (kind: string): BodyReader.BodyFault => ({
  path: "",
  reason: `the answer is of another shape (${kind}) than this endpoint's`
})

export const problem = (error: {
  readonly offset: number
  readonly message: string
}): BodyReader.BodyFault => ({
  path: `byte ${error.offset}`,
  reason: error.message
})

/** A byte-order mark, which some services send and JSON does not allow. */
const startsWithMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

const send = <const N extends Endpoint.Name, A>(
  endpoint: N,
  request: Endpoint.Unchecked<N>,
  read: BodyReader.BodyReader<A>
): Effect.Effect<A, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.flatMap(ChemClient.ChemClient, (client) =>
    // What a lookup asks for has been parsed.
    Effect.catchTag(client.raw(endpoint, request, read), "InvalidIdentifier", Effect.die)
  )

const answerOf = <R>(
  endpoint: string,
  { records, suggestions, surplus = [], truncated: why }: Read<R>,
  attempts: number,
  inspection: Inspection
): Batch.CallResult<R, ChemError.ChemError> => {
  const errors = inspection.validate === "off" ? undefined : inspect(endpoint, records, attempts, inspection)
  // A response to several identifiers does not say of which of them it left records out.
  const truncated = why && new Map(records.map(({ key }) => [key, why] as const))
  const unidentified = surplus.filter(({ reason }) => reason === "unidentified").length
  if (unidentified === 0) return { records, errors, suggestions, surplus, truncated }
  const doubt = malformed(
    endpoint,
    attempts,
    "",
    `the service answered ${unidentified} records that do not say what they are of, one of which may be this identifier's`
  )
  return { records, errors, suggestions, surplus, truncated, doubt }
}

/** Tallies what does not fit; under `strict` it makes errors of it. */
const inspect = (
  endpoint: string,
  records: ReadonlyArray<Reconcile.Keyed<unknown>>,
  attempts: number,
  { drift, validate }: Inspection
): ReadonlyMap<string, ChemError.ChemError> | undefined => {
  drift.counted(records.length)
  let errors: Map<string, ChemError.ChemError> | undefined
  for (const { key, record } of records) {
    if (!(record instanceof RawShape.Reading)) continue
    for (const { expected, field, seen } of record.drift) {
      const kinds = expected.length === 0 ? "any value" : expected.join(" | ")
      drift.add(field, kinds, seen)
      if (validate !== "strict") continue
      const what = field === undefined ? "a record" : `the field ${field}`
      errors ??= new Map()
      errors.set(
        key,
        malformed(endpoint, attempts, field ?? "", `${what} of ${key} is ${seen} where ${kinds} is expected`)
      )
    }
  }
  return errors
}

const malformed = (
  endpoint: string,
  attempts: number,
  path: string,
  message: string
): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({ endpoint, attempts, status: 200, path, message })
