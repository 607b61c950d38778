/**
 * Describes an option for help and the man page: its names, its placeholder and its text. A switch that is on by default is shown as
 * `--no-NAME`, because only this form is useful.
 */
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import { eitherWay, onByDefault } from "../flags/flagTypes.ts"

/** Choices up to this length replace the placeholder. */
const shortChoices = 18

/** The default placeholders, by type. */
const valueNames: Readonly<Record<string, string>> = {
  choice: "NAME",
  integer: "N",
  number: "N",
  string: "TEXT"
}

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
