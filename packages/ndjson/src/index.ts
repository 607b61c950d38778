export * as Ndjson from "./Ndjson.ts"
export * as RawArray from "./RawArray.ts"
export * as RawRecord from "./RawRecord.ts"
