// The first words of the commands of rows, which help lists without loading a row.

import { descriptions } from "../src/rows/rowGroup.ts"

/** The generated module, relative to the root of the repository. */
export const file = "packages/cli/src/rows/lookupNames.ts"

/** Returns the module. */
export const toText = (): string =>
  [
    "// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.",
    "/** The first words of the commands of rows, with their descriptions. Help and the version load no row. */",
    "export const lookupNames: Readonly<Record<string, string>> = {",
    Object.entries(descriptions())
      .map(([name, text]) => `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(text)}`)
      .join(",\n"),
    "}",
    ""
  ].join("\n")
