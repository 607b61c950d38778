/**
 * Loaded into a process before its own program: tells its usage on descriptor 3 when it ends.
 */
import { writeSync } from "node:fs"
import { ownMemory } from "./child.ts"

process.on("exit", () => {
  const { systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(3, JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1e6, memory: ownMemory().peak }))
})
