/**
 * A harvest as its row says it: what it is, and what state it is in.
 */
import type { Drift } from "@chemstream/ndjson"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "../Fetch.ts"
import * as Sink from "../Sink.ts"

/** What makes the chunks of a harvest what they are, beside its identifiers. */
export const Definition = Schema.Struct({
  fetch: Fetch.Spec,
  sink: Sink.Spec,
  chunkSize: Schema.Int,
  strictIds: Schema.Boolean,
  /** Where the service is that is asked; where it was not said anyone may ask any. */
  service: Schema.optional(Schema.String),
  validate: Schema.Literals(["strict", "warn", "off"] satisfies ReadonlyArray<Drift.Validate>)
})
export type Definition = typeof Definition.Type

/** Running also means waiting for a worker; the last two are for ever. */
export const State = Schema.Literals(["running", "paused", "finished", "cancelled"])
export type State = typeof State.Type

/** What a harvest could not go on for, as far as a program looks at it. */
export const Failure = Schema.Struct({
  /** The name of the error. */
  tag: Schema.String,
  /** The HTTP status of the answer, where there was one. */
  status: Schema.optional(Schema.Int)
})
export type Failure = typeof Failure.Type

/** The row of a harvest. */
export interface Row {
  readonly name: string
  /** What it is called in the other tables and in the engine: another harvest of the same name later has another. */
  readonly id: string
  readonly definition: Definition
  readonly description: string
  readonly digest: string
  readonly state: State
  /** Why it is paused, or what it is waiting for. */
  readonly reason: string | undefined
  /** What it could not go on for, where it paused itself. */
  readonly failure: Failure | undefined
  /** How often it was resumed. */
  readonly epoch: number
  readonly chunks: number
  readonly identifiers: number
  readonly startedAt: number
  readonly endedAt: number | undefined
}

const text = Schema.fromJsonString(Definition)
const failureText = Schema.fromJsonString(Failure)

/** As it is stored: the same definition is always the same text. */
export const encode: (definition: Definition) => string = Schema.encodeSync(text)

/** As it is stored. */
export const encodeFailure: (failure: Failure) => string = Schema.encodeSync(failureText)

const decode = Schema.decodeUnknownSync(text)
const decodeFailure = Schema.decodeUnknownSync(failureText)
const stateOf = Schema.decodeUnknownSync(State)

/** What a database gives. */
type Raw = Readonly<Record<string, unknown>>

const rowOf = (raw: Raw): Row => ({
  name: String(raw["name"]),
  id: String(raw["id"]),
  definition: decode(raw["spec"]),
  description: String(raw["description"]),
  digest: String(raw["digest"]),
  state: stateOf(raw["state"]),
  reason: raw["reason"] === null ? undefined : String(raw["reason"]),
  failure: raw["failure"] === null ? undefined : decodeFailure(raw["failure"]),
  epoch: Number(raw["epoch"]),
  chunks: Number(raw["chunks"]),
  identifiers: Number(raw["identifiers"]),
  startedAt: Number(raw["started_at"]),
  endedAt: raw["ended_at"] === null ? undefined : Number(raw["ended_at"])
})

/** The harvest of a name. */
export const byName = (
  name: string
): Effect.Effect<Option.Option<Row>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<Raw>`SELECT * FROM chemstream_harvests WHERE name = ${name}`, ([raw]) =>
      raw === undefined ? Option.none() : Option.some(rowOf(raw))
    )
  )

/** All harvests, the newest first. */
export const all: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(sql<Raw>`SELECT * FROM chemstream_harvests ORDER BY started_at DESC, name`, (raws) =>
      raws.map(rowOf)
    )
)

/** Whether a harvest has not ended. */
export const isOpen = ({ state }: Row): boolean => state === "running" || state === "paused"

/** The service that a harvest asks, where it is another than this; undefined also where either was not said. */
export const otherService = ({ definition }: Row, service: string | undefined): string | undefined =>
  service === undefined || definition.service === service ? undefined : definition.service
