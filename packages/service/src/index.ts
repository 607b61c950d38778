/** A read-only chemical-information service over SQLite: store, import, handlers, server, and a bundled data set. */
export * as ApiKeys from "./ApiKeys.ts"
export * as Bundled from "./Bundled.ts"
export * as DetailsHandlers from "./DetailsHandlers.ts"
export * as Import from "./Import.ts"
export * as Service from "./Service.ts"
export * as Store from "./Store.ts"
export * as StoreWriter from "./StoreWriter.ts"
export * as SqliteStore from "./sqlite/SqliteStore.ts"
