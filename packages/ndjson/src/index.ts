export * as Ndjson from "./Ndjson.ts"
export * as RawArray from "./RawArray.ts"
export * as RawJsonError from "./RawJsonError.ts"
export * as RawRecord from "./RawRecord.ts"
