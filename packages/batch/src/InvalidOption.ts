/**
 * Defines the error of an unknown option, or of a value that cannot be used. `Options` checks options. `@chemstream/ndjson`, which
 * depends on no other package, has an error with the same tag.
 */
import { Data } from "effect"
import { nearest as nearestOf } from "./internal/nearestName.ts"

/** An option is unknown, or its value cannot be used. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  /** The path of the option, e.g. `concurrency` or `limits.inFlight`. */
  readonly option: string
  /** Where its value comes from: `argument`, or the name of the variable or file. */
  readonly source: string
  /** Its value. Absent if it may be a secret. */
  readonly value?: unknown
  /** The accepted values, e.g. `a number above 0`. For an unknown option: the names of options. */
  readonly wanted: string
  /** Whether no option has this name. `value` is then absent. */
  readonly isUnknown?: boolean | undefined
  /** Whether `option` is the name of an argument, e.g. `items`. */
  readonly isArgument?: boolean | undefined
  readonly message: string
}> {
  constructor(about: About) {
    const { option, source = "argument", wanted } = about
    const origin = source === "argument" ? "" : `, from ${source},`
    super({
      ...about,
      source,
      message: `The ${about.isArgument ? "argument" : "option"} ${visible(option)}${origin} ${stateOf(about)}. Give ${wanted}.`
    })
  }

  /** Returns the same error for a value from another source than an argument. */
  from(source: string): InvalidOption {
    const value = "value" in this ? { value: this.value } : {}
    return new InvalidOption({ option: this.option, source, wanted: this.wanted, ...value })
  }
}

/**
 * Returns the nearest of some names, ignoring case: the one that was most likely meant. Undefined if none is near. It stands apart from
 * `Options`, so that a program that only suggests names does not load the checks.
 */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  if (typeof name !== "string") throw wrongArgument("name", "a text", name)
  if (!Array.isArray(names) || names.some((one) => typeof one !== "string"))
    throw wrongArgument("names", "a list of texts", names)
  return nearestOf(name, names)
}

const wrongArgument = (option: string, wanted: string, value: unknown): InvalidOption =>
  new InvalidOption({ option, wanted, value, isArgument: true })

/** The fields of the error. `value` is left out if it may be a secret. */
interface About {
  readonly option: string
  readonly source?: string
  readonly value?: unknown
  readonly wanted: string
  readonly isUnknown?: boolean | undefined
  readonly isArgument?: boolean | undefined
}

/** Describes what is wrong with the option, e.g. `is missing` or `is "five"`. */
const stateOf = (about: About): string => {
  if (about.isUnknown) return "is unknown"
  if (!("value" in about)) return "cannot be used"
  const { value } = about
  if (value === undefined) return "is missing"
  if (typeof value === "string") return `is "${visible(value)}"`
  if (Array.isArray(value)) return "is a list"
  if (typeof value === "function") return "is a function"
  if (typeof (value as Partial<Promise<unknown>> | null)?.then === "function") return "is a promise"
  return `is ${typeof value === "object" && value !== null ? "an object" : String(value)}`
}

/** The longest text in a message. */
const longest = 200

/** Returns the beginning of a text as in JSON, without characters that control a terminal. */
const visible = (text: string): string => {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return JSON.stringify(shown)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0")
      return `\\u${code}`
    })
}
