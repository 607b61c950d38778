/**
 * The two kinds of lookups: batches whose records say whose they are, and single calls.
 *
 * Answers are cut into raw records, which are read for their identifier and for the kinds of their values in the same
 * pass: an answer of another structure is malformed, and so is tried again by the client. Under `strict` the whole text
 * is checked down to the last digit, too; under every policy one that lacks an identifier is, before anything is called
 * missing.
 */
import { BatchLimit, ChemicalApi, type InvalidIdentifier } from "@chemstream/api"
import { type BodyReader, CallObserver, ChemClient, ChemError, type Endpoint } from "@chemstream/client"
import { RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Effect, Result, Schema } from "effect"
import type { Inspection, Lookup } from "../Lookup.ts"
import type { Keyed, Multiplicity } from "../Reconcile.ts"
import { among } from "./among.ts"
import { either, enableValues } from "./askValues.ts"
import type { Answer } from "./batchCall.ts"
import { pass } from "./passing.ts"

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

/** What an answer holds: its records by identifier, how many carry none, and what it suggests for what it lacks. */
export interface Read<R = Raw> {
  readonly records: ReadonlyArray<Keyed<R>>
  readonly unidentified: number
  readonly suggestions?: ReadonlyMap<string, ReadonlyArray<string>>
}

/** How the answer to a question is read, and what the contract says of its records. */
export interface Reader<Asked, A> extends Pick<Lookup<Raw>, "asGiven" | "schema"> {
  readonly read: (asked: Asked, validate: Inspection["validate"]) => BodyReader.BodyReader<A>
  /** Sorts records that were read as values; not given where an answer is not an array of records. */
  readonly sort?:
    | (<V>(asked: Asked, values: ReadonlyArray<V>) => Result.Result<Read<V>, BodyReader.BodyProblem>)
    | undefined
}

/** A lookup through a batch endpoint. */
export const batch = <const N extends Endpoint.Name>(options: {
  readonly endpoint: N
  readonly kind: IdentifierKind
  /** The most values in a call, where that is less than the contract allows. */
  readonly size?: number
  readonly multiplicity: Multiplicity
  readonly request: (ids: ReadonlyArray<string>) => Endpoint.Unchecked<N>
  readonly answer: Reader<ReadonlyArray<string>, Read>
}): Lookup<Raw> => {
  const { answer, endpoint, request } = options
  const { sort } = answer
  const ask: Lookup<Raw>["ask"] = (ids, inspection) =>
    counted((attempts) =>
      Effect.map(send(endpoint, request(ids), answer.read(ids, inspection.validate)), (read) =>
        answerOf(endpoint, read, attempts(), inspection)
      )
    )
  if (sort !== undefined) {
    enableValues(ask, (parse, ids, inspection) =>
      counted((attempts) =>
        Effect.map(
          send(
            endpoint,
            request(ids),
            either(parse, (values) => sort(ids, values), answer.read(ids, inspection.validate))
          ),
          Result.mapBoth({
            onSuccess: (read) => answerOf(endpoint, read, attempts(), inspection),
            onFailure: (read) => answerOf(endpoint, read, attempts(), inspection)
          })
        )
      )
    )
  }
  return {
    endpoint,
    ...options.kind,
    size: options.size ?? largest(endpoint),
    multiplicity: options.multiplicity,
    schema: answer.schema,
    asGiven: answer.asGiven,
    ask
  }
}

/** A lookup that asks for one value a call: all records of the answer are its own. */
export const single = <const N extends Endpoint.Name>(options: {
  readonly endpoint: N
  readonly kind: IdentifierKind
  readonly multiplicity: Multiplicity
  readonly request: (id: string) => Endpoint.Unchecked<N>
  readonly answer: Reader<string, ReadonlyArray<Raw>> & { readonly field?: string | undefined }
}): Lookup<Raw> => ({
  endpoint: options.endpoint,
  ...options.kind,
  size: 1,
  multiplicity: options.multiplicity,
  schema: options.answer.schema,
  asGiven: options.answer.asGiven,
  ask: (ids, inspection) =>
    counted((attempts) =>
      Effect.map(
        Effect.forEach(ids, (id) =>
          Effect.map(
            send(options.endpoint, options.request(id), options.answer.read(id, inspection.validate)),
            (records) => records.map((record) => ({ key: id, record }))
          )
        ),
        (records) =>
          identified(
            options.answer.field,
            answerOf(options.endpoint, { records: records.flat(), unidentified: 0 }, attempts(), inspection)
          )
      )
    )
})

/** Puts the identifier in front of each record that has none in its field: a line by itself says whose it is. */
const identified = (
  field: string | undefined,
  answer: Answer<Raw, ChemError.ChemError>
): Answer<Raw, ChemError.ChemError> =>
  field === undefined
    ? answer
    : {
        ...answer,
        records: answer.records.map(({ key, record }) =>
          record instanceof RawShape.Reading && record.key !== undefined
            ? { key, record }
            : {
                key,
                record: Result.getOrElse(
                  RawRecord.prepend(record, [[field, RawRecord.fromText(JSON.stringify(key))]]),
                  () => record
                )
              }
        )
      }

/** The most values a batch endpoint takes. */
export const largest = (endpoint: Endpoint.Name): number => {
  const [group = "", name = ""] = endpoint.split(".")
  const groups: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, Parameters<typeof BatchLimit.of>[0]>> }>
  > = ChemicalApi.ChemicalApi.groups
  const found = groups[group]?.endpoints[name]
  if (found === undefined) throw new Error(`the contract has no endpoint ${endpoint}`)
  return BatchLimit.of(found).values
}

/**
 * Reads an array of objects that carry an identifier in `field`, spelt as `canonical` has it, and whose fields are of
 * the kinds that the schema has.
 */
export const keyedBy = (
  field: string,
  canonical: (value: unknown) => string | undefined,
  schema: Schema.Constraint
): Reader<ReadonlyArray<string>, Read> => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  const sortBy = <R>(
    ids: ReadonlyArray<string>,
    answered: ReadonlyArray<R>,
    speltIn: (record: R) => unknown
  ): Result.Result<Read<R>, BodyReader.BodyProblem> => {
    const isAsked = among(ids)
    const records: Array<Keyed<R>> = []
    let isExpected = answered.length === 0
    for (const record of answered) {
      // Mostly spelt as it was asked for.
      const spelt = speltIn(record)
      const isKnown = typeof spelt === "string" && isAsked(spelt)
      const key = isKnown ? spelt : canonical(spelt)
      if (key === undefined) continue
      isExpected ||= isKnown || isAsked(key)
      records.push({ key, record })
    }
    return isExpected
      ? Result.succeed({ records, unidentified: answered.length - records.length })
      : Result.fail({ path: field, reason: "no record is of an identifier that was asked for" })
  }
  return {
    read: (ids, validate) => (body) =>
      Result.flatMap(readings(body, validate === "off" ? unchecked : shape, validate), (cut) =>
        Result.flatMap(
          sortBy(ids, cut, ({ key }) => key),
          (read) =>
            validate === "strict" || !lacksAny(ids, read.records) ? Result.succeed(read) : sound(cut, read)
        )
      ),
    sort: (ids, values) =>
      sortBy(ids, values, (value) => (value as Readonly<Record<string, unknown>>)[field]),
    schema
  }
}

/** Whether an identifier has no record, told without a set where the answer is short or in the order asked. */
const lacksAny = (ids: ReadonlyArray<string>, records: ReadonlyArray<Keyed<unknown>>): boolean => {
  if (records.length < ids.length) return true
  if (ids.every((id, at) => id === records[at]?.key)) return false
  const answered = new Set(records.map(({ key }) => key))
  return ids.some((id) => !answered.has(id))
}

/**
 * What was read, of an answer that is JSON to the last digit. Only such a one may leave an identifier missing: a
 * damaged quote hides the end of a record, and the next one in it.
 */
const sound = <A>(
  cut: ReadonlyArray<RawShape.Reading>,
  read: A
): Result.Result<A, BodyReader.BodyProblem> => {
  for (const record of cut) {
    const checked = RawRecord.check(record)
    if (Result.isFailure(checked)) return Result.fail(problem(checked.failure))
  }
  return Result.succeed(read)
}

/**
 * Reads an array of objects, or one object alone, whose fields are of the kinds that the schema has. `field` is the one
 * that says whose a record is: a record without it gets the identifier asked for.
 */
export const shaped = (
  schema: Schema.Constraint,
  field?: string
): Reader<string, ReadonlyArray<Raw>> & { readonly field: string | undefined } => {
  const unchecked = RawShape.make({ key: field })
  const shape = RawShape.fromSchema(schema, { key: field })
  const read: Reader<string, ReadonlyArray<Raw>>["read"] = (_, validate) => (body) => {
    const expected = validate === "off" ? unchecked : shape
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
  return { read, schema, field }
}

const readings = (
  body: Uint8Array,
  shape: RawShape.RawShape,
  validate: Inspection["validate"]
): Result.Result<ReadonlyArray<RawShape.Reading>, BodyReader.BodyProblem> =>
  Result.flatMap(wellFormed(withoutMark(body), validate), () => {
    pass(body.length)
    return Result.mapError(RawArray.cutLines(body, shape), problem)
  })

const wellFormed = (
  text: Raw,
  validate: Inspection["validate"]
): Result.Result<void, BodyReader.BodyProblem> =>
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
export const barely = <Asked, A>(
  name: string,
  value: Schema.Constraint,
  read: (asked: Asked) => BodyReader.BodyReader<A>
): Reader<Asked, A> => ({
  read,
  schema: Schema.Struct({ query: Schema.String, [name]: value }),
  asGiven: askedAs
})

/** A record that begins with the value asked (`bare`), in the spelling in which that was given. */
export const askedAs = (record: Raw, id: string, given: string): Raw => {
  const text = RawRecord.toText(record)
  const beginning = beginningOf(id)
  return text.startsWith(beginning)
    ? RawRecord.fromText(`${beginningOf(given)}${text.slice(beginning.length)}`)
    : record
}

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

export const unexpected = (kind: string): BodyReader.BodyProblem => ({
  path: "",
  reason: `the answer is of another shape (${kind}) than this endpoint's`
})

export const problem = (error: {
  readonly offset: number
  readonly message: string
}): BodyReader.BodyProblem => ({
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
  { records, suggestions, unidentified }: Read<R>,
  attempts: number,
  inspection: Inspection
): Answer<R, ChemError.ChemError> => {
  const errors = inspection.validate === "off" ? undefined : inspect(endpoint, records, attempts, inspection)
  if (unidentified === 0) return { records, errors, suggestions }
  const doubt = malformed(
    endpoint,
    attempts,
    "",
    `the service answered ${unidentified} records that do not say what they are of, one of which may be this identifier's`
  )
  return { records, errors, suggestions, unidentified, doubt }
}

/** Tallies what does not fit; under `strict` it makes errors of it. */
const inspect = (
  endpoint: string,
  records: ReadonlyArray<Keyed<unknown>>,
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

/** Runs `use` with the number of requests sent so far. */
export const counted = <A, E, R>(
  use: (attempts: () => number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallObserver.CallObserver, (around) => {
    let attempts = 0
    return Effect.provideService(
      use(() => attempts),
      CallObserver.CallObserver,
      {
        ...around,
        onRequest: (endpoint) => {
          attempts++
          around.onRequest(endpoint)
        }
      }
    )
  })
