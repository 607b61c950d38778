// `npm start`: sets up if needed, then runs the main job, `chemstream demo`, on the checkout's own Node.
// Arguments are handed on (`npm start -- --help`), and so are signals and the exit code.

import { join } from "node:path"
import { contained, nodePath, root } from "./setup/checkout.mjs"
import { run } from "./setup/child.mjs"
import { stop } from "./setup/message.mjs"
import { ensureSetUp } from "./setup.mjs"

const command = join(root, "packages", "cli", "bin", "chemstream.js")

await ensureSetUp().catch(stop)
const result = await run(nodePath, [command, "demo", ...process.argv.slice(2)], {
  cwd: root,
  env: contained(),
  output: "inherit"
}).catch(stop)
process.exit(result.code)
