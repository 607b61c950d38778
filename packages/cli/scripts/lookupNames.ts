// The first words of the commands of endpoints, which help lists without loading a row.

import { type Name, names } from "../src/endpoints/endpointGroup.ts"

/** The generated module, relative to the root of the repository. */
export const file = "packages/cli/src/endpoints/lookupNames.ts"

/** Returns the module. */
export const toText = (): string =>
  [
    "// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.",
    'import type { Name } from "./endpointGroup.ts"',
    "",
    "/** The first words of the commands of endpoints. Help and the version load no row. */",
    "export const lookupNames: Readonly<Record<string, Name>> = {",
    Object.entries(names()).map(entry).join(",\n"),
    "}",
    ""
  ].join("\n")

/** The longest line of the project's TypeScript, in characters. */
const lineWidth = 110

const entry = ([name, { description, takesValues }]: readonly [string, Name]): string => {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
  const fields = [`description: ${JSON.stringify(description)}`, `takesValues: ${takesValues}`]
  const line = `  ${key}: { ${fields.join(", ")} }`
  return line.length < lineWidth ? line : `  ${key}: {\n    ${fields.join(",\n    ")}\n  }`
}
