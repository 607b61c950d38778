// `node scripts/releasable.mjs [FOLDER]`: refuses to publish while the repository in the root's package.json is a placeholder. npm runs
// it before it publishes a package. FOLDER is the root, by default that of this checkout.

import { readManifest, root } from "./checkout.mjs"

const { repository } = readManifest(process.argv[2] ?? root)
const host = URL.canParse(repository ?? "") ? new URL(repository ?? "").hostname : ""
if (!/^https:/.test(repository ?? "") || host === "" || host.endsWith(".example")) {
  process.stderr.write(
    `The repository in the root's package.json is a placeholder (${repository}). Set it to the address of the repository, e.g. https://HOST/NAME/chemstream, and run npm run generate.\n`
  )
  process.exit(1)
}
