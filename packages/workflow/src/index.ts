/** Durable harvests: long runs that outlive their process, on one machine or on many. */
export * as Database from "./Database.ts"
export * as Fetch from "./Fetch.ts"
export * as Harvest from "./Harvest.ts"
export * as Sink from "./Sink.ts"
export * as Sinks from "./Sinks.ts"
export * as Source from "./Source.ts"
export * as SqliteClient from "./sqlite/SqliteClient.ts"
export * as Worker from "./Worker.ts"
