/** Durable harvests: long runs that outlive their process, on one machine or on many. */
export * as Sink from "./Sink.ts"
export * as SqliteClient from "./sqlite/SqliteClient.ts"
