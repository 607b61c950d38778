/**
 * Runs one job as a process, and reports its number of records and its memory.
 */
import * as child from "./child.ts"
import { type Run, run } from "./streamRun.ts"

const records = await run("text", child.options<Run>())
process.send?.({ records, memory: child.ownMemory() })
