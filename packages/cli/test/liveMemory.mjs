/**
 * Loaded into the process of a command (`--import`). At SIGUSR2 it collects the garbage of the main thread, and reports its live memory:
 * `live memory NUMBER: BYTES`.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread } from "node:worker_threads"

if (isMainThread) {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  let count = 0
  process.on("SIGUSR2", () => {
    collect()
    const { external, heapUsed } = process.memoryUsage()
    process.stderr.write(`live memory ${++count}: ${heapUsed + external}\n`)
  })
}
