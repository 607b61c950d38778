/**
 * Makes a lookup of an operation and of a reader of its responses: sends the request of a batch, and gives the records to its
 * identifiers. `endpointLookup.ts` and the lookups of `special` choose both.
 *
 * Bodies are read by `keyedReader.ts`, `singleValueReader.ts` and `scalarRecord.ts`.
 */
import type { InvalidIdentifier, Key, Operation } from "@chemstream/api"
import type { Batch, Reconcile } from "@chemstream/batch"
import { type BodyReader, CallObserver, ChemClient, ChemError, type Endpoint } from "@chemstream/client"
import { RawRecord, RawShape } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import type { Inspection } from "./inspection.ts"
import type { Lookup } from "./lookupType.ts"
import type { ResponseReader, ResponseRecords } from "./ResponseReader.ts"
import * as Cost from "./requestCost.ts"

type Raw = RawRecord.RawRecord

/** Makes a lookup of an endpoint. */
export const lookup = <A, M extends Reconcile.Multiplicity>(options: {
  readonly operation: Operation.Operation
  /** How identifiers are parsed. Default: as the key of the operation. */
  readonly kind?: Pick<Key.Key, "kinds" | "parse" | "verify"> | undefined
  /** The largest number of values in a call, if the contract allows more. */
  readonly size?: number
  readonly multiplicity: M
  readonly request: (ids: ReadonlyArray<string>) => Endpoint.Parts
  /** Makes the reader of responses, when it is first needed. */
  readonly reader: () => ResponseReader<A>
  /** Sends the requests, if a value has several. Default: one request. */
  readonly send?: Send
  /** The other parameters of the request. */
  readonly parameters?: Lookup<Raw>["parameters"]
  readonly refusal?: Lookup<Raw>["refusal"]
}): Lookup<RawRecord.RawRecord<A>, never, M> => {
  const { operation, parameters, refusal, request } = options
  const { name: endpoint } = operation
  const { send = (client, parts, read) => client.raw(operation, parts, read) }: { readonly send?: Send } =
    options
  const { kinds, parse, verify } = options.kind ?? (operation.key as Key.Key)
  let madeReader: ResponseReader<A> | undefined
  const reader = (): ResponseReader<A> => {
    madeReader ??= options.reader()
    return madeReader
  }
  const made: Lookup<Raw, never, M> = {
    endpoint,
    kinds,
    parse,
    verify,
    size: options.size ?? operation.batch?.limit ?? 1,
    multiplicity: options.multiplicity,
    get schema() {
      return reader().schema
    },
    get key() {
      return reader().key
    },
    get restoreSpelling() {
      return reader().restoreSpelling
    },
    parameters,
    refusal,
    cost: (dialect) => (ids) => {
      const counts = { [operation.key?.many ?? "values"]: ids.length }
      const exact = Cost.exactly(counts, Cost.ofOperation(operation, ids.length, dialect))
      return options.send === undefined ? exact : { ...exact, most: undefined }
    },
    requestBatch: (ids, inspection) =>
      CallObserver.withRequestCount((attempts) =>
        Effect.map(
          refuseOr(endpoint, refusal, (client) =>
            send(client, request(ids), withTruncation(reader().read(ids, inspection.validate)))
          ),
          (read) => ({
            ...withIdentifier(reader().field, callResult(endpoint, read, attempts(), inspection)),
            bytes: read.records.reduce((sum, { record }) => sum + record.end - record.start, 0)
          })
        )
      )
  }
  // Records are bytes: only the contract knows their type.
  return made as Lookup<RawRecord.RawRecord<A>, never, M>
}

/** Adds the reason why the response is truncated, if it is. */
const withTruncation =
  (read: BodyReader.BodyReader<ResponseRecords>): BodyReader.BodyReader<ResponseRecords> =>
  (body, truncated) =>
    truncated === undefined ? read(body) : Result.map(read(body), (found) => ({ ...found, truncated }))

/** Puts the requested identifier first in each record that lacks it, so that a line names its substance. */
const withIdentifier = (
  field: string | undefined,
  result: Batch.CallResult<Raw, ChemError.ChemError>
): Batch.CallResult<Raw, ChemError.ChemError> => {
  if (field === undefined) return result
  const own = ({ key, record }: Reconcile.Keyed<Raw>): Raw =>
    record instanceof RawShape.Reading && record.key !== undefined
      ? record
      : Result.getOrElse(
          RawRecord.prepend(record, [[field, RawRecord.fromText(JSON.stringify(key))]]),
          () => record
        )
  return { ...result, records: result.records.map((keyed) => ({ key: keyed.key, record: own(keyed) })) }
}

/** Makes a request from the only value of a batch. */
export const single =
  <A>(use: (id: string) => A): ((ids: ReadonlyArray<string>) => A) =>
  ([id]) =>
    use(id as string)

/** Sends the requests of a batch. */
export type Send = (
  client: ChemClient.ChemClient["Service"],
  request: Endpoint.Parts,
  read: BodyReader.BodyReader<ResponseRecords>
) => Effect.Effect<ResponseRecords, ChemError.ChemError | InvalidIdentifier.InvalidIdentifier>

/** Sends a request, unless a service of this dialect has no such records. */
const refuseOr = <A>(
  endpoint: string,
  refusal: Lookup<Raw>["refusal"],
  send: (
    client: ChemClient.ChemClient["Service"]
  ) => Effect.Effect<A, ChemError.ChemError | InvalidIdentifier.InvalidIdentifier>
): Effect.Effect<A, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.flatMap(ChemClient.ChemClient, (client) => {
    const message = refusal?.(client.dialect)
    return message === undefined
      ? // The identifiers of a lookup have been parsed.
        Effect.catchTag(send(client), "InvalidIdentifier", Effect.die)
      : Effect.fail(new ChemError.InvalidRequest({ endpoint, attempts: 0, message }))
  })

/** Makes the result of a call of a response: inspects its records, and says which records are truncated or have no identifier. */
const callResult = <R>(
  endpoint: string,
  { records, suggestions, surplus = [], truncated: why }: ResponseRecords<R>,
  attempts: number,
  inspection: Inspection
): Batch.CallResult<R, ChemError.ChemError> => {
  const errors = inspect(endpoint, records, attempts, inspection)
  // A response does not say which of several identifiers it truncated.
  const truncated = why && new Map(records.map(({ key }) => [key, why] as const))
  const unidentified = surplus.filter(({ reason }) => reason === "unidentified").length
  if (unidentified === 0) return { records, errors, suggestions, surplus, truncated }
  const doubt = ChemError.unidentified(endpoint, attempts, unidentified)
  return { records, errors, suggestions, surplus, truncated, doubt }
}

/** Counts differences from the contract. Returns an error for a record that is not valid JSON and, with `strict`, for one that differs. */
const inspect = (
  endpoint: string,
  records: ReadonlyArray<Reconcile.Keyed<unknown>>,
  attempts: number,
  { drift, validate }: Inspection
): ReadonlyMap<string, ChemError.ChemError> => {
  if (validate !== "off") drift.addRecords(records.length)
  const errors = new Map<string, ChemError.ChemError>()
  for (const { key, record } of records) {
    if (!(record instanceof RawShape.Reading)) continue
    const refuse = (fault: string, field?: string) =>
      errors.set(key, ChemError.malformed(endpoint, attempts, fault, field))
    for (const { expected, field, seen } of record.drift) {
      const kinds = expected.length === 0 ? "any value" : expected.join(" | ")
      drift.add(field, kinds, seen)
      const what = field === undefined ? "a record" : `the field ${field}`
      if (validate === "strict") refuse(`${what} of ${key} is ${seen} where ${kinds} is expected`, field)
    }
    const checked = RawRecord.check(record)
    if (Result.isFailure(checked))
      refuse(`the record of ${key} is not valid JSON, wrong at its byte ${checked.failure.offset + 1}`)
  }
  return errors
}
