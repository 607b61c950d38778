/**
 * How much garbage a program that passes much data on lets gather.
 *
 * V8 enlarges its young generation, where new objects lie, to tens of megabytes as a program runs on. It is cleared the
 * less often for that, and the buffers that its objects hold wait as long.
 */
import { setFlagsFromString } from "node:v8"

/**
 * Has the young generation of this process stay as small as it is, for good: for programs that run long where memory is
 * short, as the first thing they do. The larger it was, the less it helps. Clearing it more often costs a program that
 * holds many new objects at once some processor time.
 *
 * @example
 * ```ts
 * import { YoungGeneration } from "@chemstream/ndjson/node"
 *
 * YoungGeneration.keepSmall()
 * ```
 */
export const keepSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1")
