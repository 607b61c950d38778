/** What of the identifier streams needs Node: its streams, and files. */
export * as DiskSeen from "./DiskSeen.ts"
export * as NodeStream from "./NodeStream.ts"
