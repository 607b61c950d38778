/** Checks the names and values of options. Programs without types would otherwise not notice a misspelt one. */

/** Throws a `TypeError` if an option has none of these names. `owner` is the function, for the message. */
export const knownOptions = <O extends object>(
  owner: string,
  options: O | undefined,
  names: Readonly<Record<keyof Required<O>, true>>
): void => {
  for (const name of Object.keys(options ?? {})) {
    if (!Object.hasOwn(names, name)) {
      const known = Object.keys(names).join(", ")
      throw new TypeError(`${owner} has no option ${JSON.stringify(name)}. Its options: ${known}`)
    }
  }
}

/** Throws a `TypeError` if an option has a value, and none of these. */
export const oneOf = (name: string, value: string | undefined, allowed: ReadonlyArray<string>): void => {
  if (value !== undefined && !allowed.includes(value)) {
    throw new TypeError(`${name} must be ${allowed.map((one) => JSON.stringify(one)).join(" or ")}`)
  }
}
