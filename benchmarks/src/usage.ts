/**
 * Writes the usage of a process to descriptor 3 at its end. It is loaded before the program of the process.
 */
import { writeSync } from "node:fs"
import { ownMemory } from "./child.ts"

process.on("exit", () => {
  const { systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(3, JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1e6, memory: ownMemory().peak }))
})
