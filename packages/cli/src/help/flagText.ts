/**
 * How an option is written in help and in the man page: its names, what its value is called, and what it does. An option
 * that is on by default is shown as `--no-NAME`, since nobody has a reason to write the other.
 */
import { Option } from "effect"
import { Flag, type HelpDoc } from "effect/cli"

/** What `HelpDoc` calls the value of a switch that is on by default. */
const onByDefault = "on"

/** What it calls that of a switch whose default depends on others. */
const eitherWay = "either"

/** Choices up to this length stand in the place of the value. */
const shortChoices = 18

/** What a value is called where an option has no name for it. */
const valueNames: Readonly<Record<string, string>> = {
  choice: "NAME",
  integer: "N",
  number: "N",
  string: "TEXT"
}

/** A switch that is off by default. */
export const isOff = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** A switch that is on by default; the description is of what `--no-NAME` does. */
export const isOn = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar(onByDefault),
    Flag.withDefault(true)
  )

/** A switch whose default depends on other options. */
export const either = (name: string, description: string): Flag.Flag<Option.Option<boolean>> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withMetavar(eitherWay), Flag.optional)

/** An option in words. */
export interface FlagText {
  /** Its names, e.g. `-o`, `--output`. */
  readonly names: ReadonlyArray<string>
  /** What its value is called; empty where it has none. */
  readonly value: string
  readonly text: string
}

/** The words of an option. */
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
