/**
 * Reads the row of a harvest in the table of harvests: its definition (the settings that decide its outcomes) and its state.
 *
 * `recordHarvest.ts` writes the row, and `harvestStateChanges.ts` changes it.
 */
import { Dialect } from "@chemstream/client"
import type { Drift } from "@chemstream/ndjson"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import * as Sink from "../../Sink.ts"

/** The settings that determine the outcomes of a harvest, besides its identifiers. */
export const Definition = Schema.Struct({
  fetch: Fetch.Spec,
  sink: Sink.Spec,
  chunkSize: Schema.Int,
  strictIds: Schema.Boolean,
  /** The address of the service. Absent: the service of each worker. */
  service: Schema.optional(Schema.String),
  /** The dialect of the service. Absent: the dialect of each worker. */
  dialect: Schema.optional(Schema.Literals(Dialect.names)),
  validate: Schema.Literals(["strict", "warn", "off"] satisfies ReadonlyArray<Drift.Validate>)
})
export type Definition = typeof Definition.Type

/** The state of a harvest. A harvest that waits for a worker is `running`. `finished` and `cancelled` are final. */
export const State = Schema.Literals(["running", "paused", "finished", "cancelled"])
export type State = typeof State.Type

/** The error that paused a harvest. */
export const Failure = Schema.Struct({
  /** The name of the error. */
  tag: Schema.String,
  /** The HTTP status of the response, if there was one. */
  status: Schema.optional(Schema.Int)
})
export type Failure = typeof Failure.Type

/** The row of a harvest. */
export interface Row {
  readonly name: string
  /** Its key in the other tables and in the engine. A later harvest of the same name gets another key. */
  readonly id: string
  /** Undefined if this release cannot decode it, because a newer one has recorded it. */
  readonly definition: Definition | undefined
  readonly description: string
  readonly digest: string
  readonly state: State
  /** The reason why it is paused or waits. */
  readonly reason: string | undefined
  /** The error that paused it. */
  readonly failure: Failure | undefined
  /** How often it was resumed. */
  readonly epoch: number
  /** How often its chunks were divided among shards. Each round has its own workflows. */
  readonly round: number
  /** Failed identifiers that were requested again. */
  readonly retried: number
  /** The mark of the folder or table that its first worker opened. */
  readonly claim: string | undefined
  readonly chunks: number
  readonly identifiers: number
  readonly startedAt: number
  readonly endedAt: number | undefined
}

const definitionText = Schema.fromJsonString(Definition)
const failureText = Schema.fromJsonString(Failure)

/** Encodes a definition; equal definitions have equal texts. */
export const encode: (definition: Definition) => string = Schema.encodeSync(definitionText)

/** Describes each setting that differs, with both values. */
export const differences = (before: Definition, now: Definition): ReadonlyArray<string> =>
  (["fetch", "sink", "chunkSize", "strictIds", "validate"] as const).flatMap((name) => {
    const [was, is] = [before[name], now[name]].map((value) => JSON.stringify(value))
    return was === is ? [] : [`${name} was ${was}, and is now ${is}`]
  })

export const encodeFailure: (failure: Failure) => string = Schema.encodeSync(failureText)

// An unknown field of a newer release may change the chunks, so it must not be ignored.
const decode = Schema.decodeUnknownOption(definitionText, { onExcessProperty: "error" })
const decodeFailure = Schema.decodeUnknownOption(failureText)
const decodeState = Schema.decodeUnknownOption(State)

/** The row as the database returns it. */
type Raw = Readonly<Record<string, unknown>>

const rowOf = (raw: Raw): Row => ({
  name: String(raw["name"]),
  id: String(raw["id"]),
  definition: Option.getOrUndefined(decode(raw["spec"])),
  description: String(raw["description"]),
  digest: String(raw["digest"]),
  // A worker must not work on a harvest in an unknown state.
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

/** Returns the harvest of a name. */
export const byName = (
  name: string
): Effect.Effect<Option.Option<Row>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(
    select((sql) => sql`WHERE name = ${name}`),
    Arr.head
  )

/** Returns all harvests, the newest first. */
export const all = select((sql) => sql`ORDER BY started_at DESC, name`)

/** Returns the harvests that have not ended. */
export const unfinished = select((sql) => sql`WHERE state IN ('running', 'paused') ORDER BY started_at, name`)

/** Whether a harvest has not ended. */
export const isUnfinished = ({ state }: Row): boolean => state === "running" || state === "paused"
