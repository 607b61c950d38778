/** What of the identifier streams needs Node: its streams, and files. */
export * as Checkpoint from "./Checkpoint.ts"
export * as Lock from "./Lock.ts"
export * as NodeChemstream from "./NodeChemstream.ts"
export { createChemstream } from "./NodeChemstream.ts"
export * as NodeStream from "./NodeStream.ts"
