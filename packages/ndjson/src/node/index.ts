export * as NodeStream from "./NodeStream.ts"
