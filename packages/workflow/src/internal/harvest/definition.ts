/**
 * A harvest as its row says it: what it is, and what state it is in.
 */
import { Dialect } from "@chemstream/client"
import type { Drift } from "@chemstream/ndjson"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import * as Sink from "../../Sink.ts"

/** What makes the chunks of a harvest what they are, beside its identifiers. */
export const Definition = Schema.Struct({
  fetch: Fetch.Spec,
  sink: Sink.Spec,
  chunkSize: Schema.Int,
  strictIds: Schema.Boolean,
  /** Where the service is that is asked; where it was not said anyone may ask any. */
  service: Schema.optional(Schema.String),
  /** The dialect in which it is asked; where it was not said, that of the worker. */
  dialect: Schema.optional(Schema.Literals(Dialect.names)),
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
  /** Undefined where this release cannot decode it: a newer one has recorded it. */
  readonly definition: Definition | undefined
  readonly description: string
  readonly digest: string
  readonly state: State
  /** Why it is paused, or what it is waiting for. */
  readonly reason: string | undefined
  /** What it could not go on for, where it paused itself. */
  readonly failure: Failure | undefined
  /** How often it was resumed. */
  readonly epoch: number
  /** How often its chunks were dealt out anew: each time with workflows of its own. */
  readonly round: number
  /** Identifiers that failed and were asked for again. */
  readonly retried: number
  /** What marks the folder or file that its first worker has found under the path of the sink. */
  readonly claim: string | undefined
  readonly chunks: number
  readonly identifiers: number
  readonly startedAt: number
  readonly endedAt: number | undefined
}

const text = Schema.fromJsonString(Definition)
const failureText = Schema.fromJsonString(Failure)

/** As it is stored: the same definition is always the same text. */
export const encode: (definition: Definition) => string = Schema.encodeSync(text)

/** Each setting that differs, with both values. */
export const differences = (before: Definition, now: Definition): ReadonlyArray<string> =>
  (["fetch", "sink", "chunkSize", "strictIds", "validate"] as const).flatMap((name) => {
    const [was, is] = [before[name], now[name]].map((value) => JSON.stringify(value))
    return was === is ? [] : [`${name} was ${was}, and is now ${is}`]
  })

/** As it is stored. */
export const encodeFailure: (failure: Failure) => string = Schema.encodeSync(failureText)

// A field of a newer release may change what a chunk is: it is not to be overlooked.
const decode = Schema.decodeUnknownOption(text, { onExcessProperty: "error" })
const decodeFailure = Schema.decodeUnknownOption(failureText)
const decodeState = Schema.decodeUnknownOption(State)

/** What a database gives. */
type Raw = Readonly<Record<string, unknown>>

const rowOf = (raw: Raw): Row => ({
  name: String(raw["name"]),
  id: String(raw["id"]),
  definition: Option.getOrUndefined(decode(raw["spec"])),
  description: String(raw["description"]),
  digest: String(raw["digest"]),
  // A state that this release does not know is none in which it may work.
  state: Option.getOrElse(decodeState(raw["state"]), () => "paused" as const),
  reason: raw["reason"] === null ? undefined : String(raw["reason"]),
  failure: raw["failure"] === null ? undefined : Option.getOrUndefined(decodeFailure(raw["failure"])),
  epoch: Number(raw["epoch"]),
  round: Number(raw["round"]),
  retried: Number(raw["retried"]),
  claim: raw["claim"] === null ? undefined : String(raw["claim"]),
  chunks: Number(raw["chunks"]),
  identifiers: Number(raw["identifiers"]),
  startedAt: Number(raw["started_at"]),
  endedAt: raw["ended_at"] === null ? undefined : Number(raw["ended_at"])
})

const select = (
  which: (sql: SqlClient.SqlClient) => Statement.Fragment
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<Raw>`SELECT * FROM chemstream_harvests ${which(sql)}`, (raws) => raws.map(rowOf))
  )

/** The harvest of a name. */
export const byName = (
  name: string
): Effect.Effect<Option.Option<Row>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(
    select((sql) => sql`WHERE name = ${name}`),
    Arr.head
  )

/** All harvests, the newest first. */
export const all = select((sql) => sql`ORDER BY started_at DESC, name`)

/** The harvests that have not ended. */
export const open = select((sql) => sql`WHERE state IN ('running', 'paused') ORDER BY started_at, name`)

/** Whether a harvest has not ended. */
export const isOpen = ({ state }: Row): boolean => state === "running" || state === "paused"
