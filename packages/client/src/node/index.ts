/** The part of the client that needs Node: connections, proxies, files. */
export * as DiskCache from "./DiskCache.ts"
export * as NodePromiseClient from "./NodePromiseClient.ts"
export { createClient } from "./NodePromiseClient.ts"
export * as Transport from "./Transport.ts"
