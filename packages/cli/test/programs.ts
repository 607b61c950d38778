/**
 * Finds the programs of this machine.
 */
import { execFileSync } from "node:child_process"

/** Whether this machine has a program of this name. */
export const has = (program: string): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
