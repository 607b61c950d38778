// `npm start`: sets up, and then runs `chemstream demo` on the Node of the checkout.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { bin, root } from "./checkout.mjs"
import { ensureInstalled } from "./install.mjs"
import { run } from "./run.mjs"

await ensureInstalled()
if (!existsSync(join(root, "packages", "cli", "dist"))) process.stderr.write("Building the packages …\n")
const built = await run(bin("turbo"), ["run", "build", "--output-logs=errors-only"], { capture: true })
if (built.code !== 0) {
  process.stderr.write(`${built.output}\nThe build failed: the output of turbo is above.\n`)
  process.exit(built.code)
}
const command = join(root, "packages", "cli", "bin", "chemstream.js")
process.exitCode = (await run(bin("node"), [command, "demo", ...process.argv.slice(2)])).code
