/** Makes options and arguments by the type of their value. The descriptions of options name their defaults. */
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"

/** The type name in `HelpDoc` of a switch that is on by default: `help/flagText.ts` writes it as `--no-NAME`. */
export const onByDefault = "on"

/** The type name in `HelpDoc` of a switch whose default depends on other options: help writes both forms. */
export const eitherWay = "either"

/** A switch that is off by default. */
export const switchFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** A switch that is on by default. The description is that of `--no-NAME`. */
export const onSwitchFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar(onByDefault),
    Flag.withDefault(true)
  )

/** Makes an option optional: it is undefined if it is not given. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> => Flag.withDefault(flag, undefined)

/** A switch whose default depends on other options. */
export const eitherSwitchFlag = (name: string, description: string): Flag.Flag<boolean | undefined> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withMetavar(eitherWay), optional)

/** An option whose text `parse` reads. `expected` says in words what the text must be, if `parse` returns undefined. */
export const parsedText = <A>(
  name: string,
  metavar: string,
  description: string,
  parse: (text: string) => A | undefined,
  expected: string | ((text: string) => string)
): Flag.Flag<A> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parse(text)),
      (text) => (typeof expected === "string" ? expected : expected(text))
    )
  )

/** An option with a number that need not be whole, within bounds. */
export const optionalNumber = (
  name: string,
  metavar: string,
  description: string,
  isAllowed: (value: number) => boolean,
  expected: string
): Flag.Flag<number | undefined> =>
  Flag.Finite(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.filter(isAllowed, () => expected),
    optional
  )

/** An option with a text. */
export const optionalText = (
  name: string,
  metavar: string,
  description: string,
  alias?: string
): Flag.Flag<string | undefined> => {
  const flag = Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)
  return alias === undefined ? flag : Flag.withAlias(flag, alias)
}

/** An option with one of several words. */
export const optionalChoice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  description: string
): Flag.Flag<Choices[number] | undefined> =>
  Flag.Literals(name, choices).pipe(Flag.withDescription(description), optional)

/** An option with one of several words, and the word that it has by default. */
export const choice = <const Choices extends ReadonlyArray<string>, const Otherwise extends Choices[number]>(
  name: string,
  choices: Choices,
  otherwise: Otherwise,
  description: string
): Flag.Flag<Choices[number]> =>
  Flag.Literals(name, choices).pipe(Flag.withDescription(description), Flag.withDefault(otherwise))

/** The values of a command, as arguments. */
export const values = (metavar: string, description: string): Argument.Argument<ReadonlyArray<string>> =>
  Argument.String(metavar).pipe(Argument.withDescription(description), Argument.variadic())

/** A whole number of at least `least`. */
export const whole = (name: string, least: number): Flag.Flag<number> =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= least,
      () => `a whole number of ${least} or more`
    )
  )

/** A whole number of at least `least`, or none. */
export const optionalWhole = (
  name: string,
  least: number,
  description: string
): Flag.Flag<number | undefined> => whole(name, least).pipe(Flag.withDescription(description), optional)

/** A whole number of at least `least`, with a default. */
export const defaultWhole = (
  name: string,
  least: number,
  description: string,
  otherwise: number
): Flag.Flag<number> =>
  whole(name, least).pipe(
    Flag.withDescription(`${description} [default: ${otherwise}]`),
    Flag.withDefault(otherwise)
  )

/** A port to listen on. 0 picks a free one. */
export const port = (name: string): Flag.Flag<number> =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= 0 && value <= 65535,
      () => "a port from 0 to 65535"
    )
  )
