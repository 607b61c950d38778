/**
 * Options with a duration: a number and a unit, e.g. `30s`. The parsed value is in milliseconds.
 */
import { Flag } from "effect/cli"
import { parsedText } from "./flagTypes.ts"

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a duration such as `30s`, `1.5h` or `0` into milliseconds. Undefined: it is malformed. */
export const parse = (text: string): number | undefined => {
  if (text === "0") return 0
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text)
  return match === null ? undefined : Math.round(Number(match[1]) * units[match[2] as keyof typeof units])
}

/** Returns milliseconds in the form of an option: `90s`, `5m`. */
export const toText = (milliseconds: number): string => {
  const unit = (["d", "h", "m", "s"] as const).find((one) => milliseconds % units[one] === 0) ?? "ms"
  return milliseconds === 0 ? "0" : `${milliseconds / units[unit]}${unit}`
}

/** A duration of at least `least` milliseconds. */
export const make = (name: string, description: string, least = 0): Flag.Flag<number> =>
  parsedText(
    name,
    "TIME",
    description,
    (text) => {
      const time = parse(text)
      return time === undefined || time < least ? undefined : time
    },
    least === 0
      ? "a time: 500ms, 30s, 5m, 1h, 1d or 0"
      : `a time of ${toText(least)} or more: 500ms, 30s, 5m, 1h or 1d`
  )

/** A duration with a default. */
export const withDefault = (
  name: string,
  description: string,
  { least, otherwise }: { readonly least: number; readonly otherwise: number }
): Flag.Flag<number> =>
  make(name, `${description} [default: ${toText(otherwise)}]`, least).pipe(Flag.withDefault(otherwise))
