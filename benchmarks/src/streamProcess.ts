/**
 * One run as a process of its own, which says how many records it wrote and its memory.
 */
import * as child from "./child.ts"
import { type Run, run } from "./streamRun.ts"

const records = await run("text", child.options<Run>())
process.send?.({ records, memory: child.ownMemory() })
