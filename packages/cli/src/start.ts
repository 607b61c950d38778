/**
 * The first module of the process. It turns on Node's compile cache, and then loads the command.
 *
 * The cache is in the cache folder of the user. Node's default is the temporary folder, where another user of the machine could put
 * code.
 */
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

const cacheHome = process.env["XDG_CACHE_HOME"] ?? ""

// If the folder is not writable, Node compiles the code at every start, without a message.
enableCompileCache(join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), ".cache"), "chemstream"))

// Node 22 and 24 warn that SQLite is experimental. Users of the command do not need this warning. All others stay.
const [printWarning] = process.listeners("warning")
if (printWarning !== undefined) {
  process.off("warning", printWarning).on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning" || !warning.message.startsWith("SQLite")) printWarning(warning)
  })
}

await import("./main.ts")
