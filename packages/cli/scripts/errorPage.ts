// docs/errors.md: the catalogue of errors as a page.

import { exitCodes } from "../src/CommandFailure.ts"
import * as Catalogue from "../src/errorCatalogue.ts"

const head = `<!-- Made by packages/cli/scripts/generate.ts from packages/cli/src/errorCatalogue.ts: change that, not this. -->

# Errors

What each error means and what to do about it; in a shell the same with \`chemstream help errors\`.
`

/** The page in Markdown. */
export const toMarkdown = (): string =>
  [
    head,
    ...[Catalogue.outcomes, ...Catalogue.errors].map(
      ({ entries, place, title }) =>
        `## ${title}\n\n${place}.\n\n${Object.entries(entries)
          .map(([name, entry]) => paragraphs(name, entry))
          .join("\n")}`
    ),
    `## Exit codes\n\n${(Object.keys(exitCodes) as Array<keyof typeof exitCodes>)
      .map((name) => paragraphs(String(exitCodes[name]), Catalogue.exits[name]))
      .join("\n")}`
  ].join("\n")

const paragraphs = (name: string, { action, meaning }: Catalogue.Entry): string =>
  `### \`${name}\`\n\n${meaning}\n\nTo do: ${action}\n`
