// `npm run docs`: writes the API reference to docs/reference/out, which is not in the repository. The packages must be built
// (`npm run setup`). Exits with 1 if a link is broken or an export has no docstring.

import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Reference from "./Reference.ts"

const { application, problems, project } = await Reference.read()
const found = [...problems, ...Reference.undocumented(project).map((name) => `${name} has no docstring`)]
rmSync(Reference.folder, { recursive: true, force: true })
await Reference.write(application, project, Reference.folder)
for (const problem of found) process.stderr.write(`${problem}\n`)
process.stdout.write(`${join(Reference.folder, "index.html")}\n`)
process.exitCode = found.length > 0 ? 1 : 0
