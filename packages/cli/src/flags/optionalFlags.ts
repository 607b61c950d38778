/** Options that may be omitted. Their descriptions name their defaults. */
import type { Option } from "effect"
import { Flag } from "effect/cli"

/** An option with a text. */
export const optionalText = (
  name: string,
  metavar: string,
  description: string,
  alias?: string
): Flag.Flag<Option.Option<string>> => {
  const flag = Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional
  )
  return alias === undefined ? flag : Flag.withAlias(flag, alias)
}

/** An option with one of several words. */
export const optionalChoice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  description: string
): Flag.Flag<Option.Option<Choices[number]>> =>
  Flag.Literals(name, choices).pipe(Flag.withDescription(description), Flag.optional)
