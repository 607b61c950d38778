/**
 * Declares switches, and describes an option for help and the man page: its names, its placeholder and its text. An option that is on by default is shown as
 * `--no-NAME`, because only this form is useful.
 */
import { Option } from "effect"
import { Flag, type HelpDoc } from "effect/cli"

/** The type name in `HelpDoc` of a switch that is on by default. */
const onByDefault = "on"

/** The type name in `HelpDoc` of a switch whose default depends on other options. */
const eitherWay = "either"

/** Choices up to this length replace the placeholder. */
const shortChoices = 18

/** The default placeholders, by type. */
const valueNames: Readonly<Record<string, string>> = {
  choice: "NAME",
  integer: "N",
  number: "N",
  string: "TEXT"
}

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

/** A switch whose default depends on other options. */
export const eitherSwitchFlag = (name: string, description: string): Flag.Flag<Option.Option<boolean>> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withMetavar(eitherWay), Flag.optional)

/** An option as text. */
export interface FlagText {
  /** Its names, e.g. `-o`, `--output`. */
  readonly names: ReadonlyArray<string>
  /** Its placeholder. Empty for a switch. */
  readonly value: string
  readonly text: string
}

/** Returns the text of an option. */
export const of = ({ aliases, description, name, type }: HelpDoc.FlagDoc): FlagText => {
  const [, words = "", choices] =
    /^(.*?)\s*(?:\(choices: (.*)\))?$/.exec(Option.getOrElse(description, () => "")) ?? []
  const isShort = choices !== undefined && choices.length - choices.split(", ").length < shortChoices
  const list = choices === undefined || isShort ? "" : `[choices: ${choices}]`
  return {
    names: [...aliases, ...namesOf(name, type)],
    value: isShort ? choices.replaceAll(", ", "|") : valueName(type),
    text: [words, list].filter((part) => part !== "").join(" ")
  }
}

const namesOf = (name: string, type: string): ReadonlyArray<string> => {
  if (type === onByDefault) return [`--no-${name}`]
  return type === eitherWay ? [`--${name}`, `--no-${name}`] : [`--${name}`]
}

const valueName = (type: string): string => {
  if (type === "boolean" || type === onByDefault || type === eitherWay) return ""
  return /^<.*>$/.test(type) ? "NAME" : (valueNames[type] ?? type)
}
