/** The modules that need Node: Node streams, and files. */
export * as Checkpoint from "./Checkpoint.ts"
export * as Lock from "./Lock.ts"
export * as NodeChemstream from "./NodeChemstream.ts"
export { createChemstream } from "./NodeChemstream.ts"
export * as NodeStream from "./NodeStream.ts"
