/**
 * What the process runs first: turns on Node's cache of compiled code, then loads the command. A first run leaves what
 * it compiled for those after it.
 *
 * The cache is in the user's own folder. Node's default is the temporary folder, where another user of the machine
 * could have put code first.
 */
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

const given = process.env["XDG_CACHE_HOME"] ?? ""

// Where it cannot be written, nothing is said and the code is compiled.
enableCompileCache(join(isAbsolute(given) ? given : join(homedir(), ".cache"), "chemstream"))

// Node 22 and 24 warn that SQLite is experimental. That is no news for the user of a command: all other warnings stay.
const [printWarning] = process.listeners("warning")
if (printWarning !== undefined) {
  process.off("warning", printWarning).on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning" || !warning.message.startsWith("SQLite")) printWarning(warning)
  })
}

await import("./main.ts")
