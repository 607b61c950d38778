/** The page in which people search, read and resolve chemicals, as files for a server. */
export * as Explorer from "./Explorer.ts"
export * as HarvestView from "./HarvestView.ts"
export * as ServiceView from "./ServiceView.ts"
