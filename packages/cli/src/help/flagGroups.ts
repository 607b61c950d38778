/**
 * Groups the options of a command in help, if it has many. An option without a group is the command's own.
 */
import type { HelpDoc } from "effect/cli"

/** A command with more options than this shows them in groups. */
const few = 10

/** The options of each group, by their names. */
export const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
  INPUT: ["input", "sheet", "header-row", "quotes", "key", "strict-ids"],
  OUTPUT: [
    ...[
      "output",
      "format",
      "stale",
      "fields",
      "any-fields",
      "keep",
      "with-line",
      "with-query",
      "ordered",
      "dedupe"
    ],
    ...["errors", "json-summary", "progress", "quiet"]
  ],
  REQUESTS: [
    ...["base-url", "api-key-file", "dialect", "rate", "concurrency", "batch-size", "timeout", "retries"],
    ...["wait", "on-failure", "verbose", "dry-run"]
  ],
  METRICS: ["metrics-port", "metrics-host", "metrics-file"],
  RESUMING: ["checkpoint", "resume", "stop-timeout"],
  CHECKING: ["validate", "fail-on"]
}

/** A heading with the options below it. */
export interface Group {
  readonly title: string
  readonly flags: ReadonlyArray<HelpDoc.FlagDoc>
}

/** Groups the options of a command. Its own options come first. An option that is alone in its group joins them. */
export const of = (flags: ReadonlyArray<HelpDoc.FlagDoc>): ReadonlyArray<Group> => {
  if (flags.length <= few) return [{ title: "FLAGS", flags }]
  const shared = Object.entries(groups)
    .map(([title, names]) => ({
      title,
      flags: names.flatMap((name) => flags.filter((flag) => flag.name === name))
    }))
    .filter((group) => group.flags.length > 1)
  const grouped = new Set(shared.flatMap((group) => group.flags))
  const own = { title: "FLAGS", flags: flags.filter((flag) => !grouped.has(flag)) }
  return own.flags.length === 0 ? shared : [own, ...shared]
}
