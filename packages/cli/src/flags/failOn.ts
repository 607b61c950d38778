/**
 * The option `--fail-on`: the outcomes that make a run exit with 1. A failed value always does.
 */
import { type Command, Flag } from "effect/cli"
import { parsedText, switchFlag } from "./flagTypes.ts"

/** The outcomes and marks of a value that a run may fail on. */
const reasonsToFail = ["missing", "ambiguous", "conflict", "invalid", "truncated"] as const

/** A count of a run that makes it fail. */
export type ReasonToFail = (typeof reasonsToFail)[number]

const reasonsOf = (text: string): ReadonlyArray<ReasonToFail> | undefined => {
  const names = text.split(",").map((name) => name.trim())
  const reasons = names.flatMap((name) => reasonsToFail.filter((reason) => reason === name))
  return reasons.length === names.length ? reasons : undefined
}

/** The option `--fail-on`, and its older forms. */
export const flags = {
  failOn: parsedText(
    "fail-on",
    "A,B",
    `Exit with 1 also if a value is one of these: ${reasonsToFail.join(", ")} [default: only if one failed]`,
    reasonsOf,
    `words separated by commas: ${reasonsToFail.join(", ")}`
  ).pipe(Flag.withDefault([] as ReadonlyArray<ReasonToFail>)),
  failOnMissing: Flag.withHidden(switchFlag("fail-on-missing", "The older form of --fail-on missing")),
  failOnInvalid: Flag.withHidden(switchFlag("fail-on-invalid", "The older form of --fail-on invalid")),
  failOnTruncated: Flag.withHidden(switchFlag("fail-on-truncated", "The older form of --fail-on truncated"))
}

/** Whether a run fails: a value failed, or is one of these. */
export const isFailure = (
  counts: Readonly<Record<ReasonToFail | "failed", number>>,
  failOn: ReadonlyArray<ReasonToFail>
): boolean => counts.failed > 0 || failOn.some((reason) => counts[reason] > 0)

/** Returns the reasons that the options name, to fail besides failed values. */
export const of = (given: Command.Command.Config.Infer<typeof flags>): ReadonlyArray<ReasonToFail> => [
  ...given.failOn,
  ...(given.failOnMissing ? (["missing"] as const) : []),
  ...(given.failOnInvalid ? (["invalid"] as const) : []),
  ...(given.failOnTruncated ? (["truncated"] as const) : [])
]
