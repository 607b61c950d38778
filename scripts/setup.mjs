// `npm run setup`: makes a fresh checkout ready to run, and does nothing when it is ready.
// The other scripts call `ensureSetUp` first. What is installed and built, and when, is in ./setup/.

import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./setup/build.mjs"
import { nodePath } from "./setup/checkout.mjs"
import { ensureInstalled } from "./setup/install.mjs"
import { say, stop } from "./setup/message.mjs"

/** Installs and builds what is not up to date; says whether there was anything to do. */
export const ensureSetUp = async () => {
  const installed = await ensureInstalled()
  const built = await ensureBuilt()
  return installed || built
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const worked = await ensureSetUp().catch(stop)
  say(worked ? `Ready. Everything runs on ${nodePath}.` : "Ready: there was nothing to do.")
}
