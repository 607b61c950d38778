/** Checks the names and values of options. Programs without types would otherwise not notice a misspelt one. */
import { Schema, Stream } from "effect"
import { InvalidOption } from "../InvalidOption.ts"

/** Throws `InvalidOption` if an option has none of these names. `owner` is the function, for the message. */
export const knownOptions = <O extends object>(
  owner: string,
  options: O | undefined,
  names: Readonly<Record<keyof Required<O>, true>>,
  isRequired = false
): void => {
  const known = Object.keys(names).join(", ")
  if (Stream.isStream(options))
    throw new InvalidOption(`the options of ${owner}`, `are a stream: write ${owner}() to apply it to one`)
  if ((options !== undefined || isRequired) && (typeof options !== "object" || options === null))
    throw new InvalidOption(`the options of ${owner}`, `must be an object of ${known}`, options)
  for (const name of Object.keys(options ?? {})) {
    if (!Object.hasOwn(names, name))
      throw new InvalidOption(JSON.stringify(name), `is not an option of ${owner}. Its options: ${known}`)
  }
}

/** Throws `InvalidOption` if a value is no object with such a value for each field. */
export const checkEach = (
  owner: string,
  fields: object,
  wanted: string,
  matches: (value: unknown) => boolean
): void => {
  if (typeof fields !== "object" || fields === null || !Object.values(fields).every(matches))
    throw new InvalidOption(
      `the fields of ${owner}`,
      `must be an object with ${wanted} for each field`,
      fields
    )
}

/** Throws `InvalidOption` if an option has a value, and none of these. */
export const oneOf = (name: string, value: string | undefined, allowed: ReadonlyArray<string>): void => {
  if (value !== undefined && !allowed.includes(value)) {
    throw new InvalidOption(name, `must be ${allowed.map((one) => JSON.stringify(one)).join(" or ")}`, value)
  }
}

/** Throws `InvalidOption` if a value is no schema. */
export const checkSchema = (schema: unknown): void => {
  if (!Schema.isSchema(schema)) throw new InvalidOption("schema", "must be a schema of Effect", schema)
}

/** Returns the bound. Throws `InvalidOption` if it is not a number of at least 1. */
export const atLeastOne = (name: string, bound: number): number => {
  if (!(bound >= 1)) throw new InvalidOption(name, "must be a number of at least 1", bound)
  return bound
}
