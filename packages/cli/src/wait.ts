/**
 * A time to wait as it is written on the command line: a number, and what it counts.
 */
import { Option } from "effect"

const units = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000 } as const

/** The milliseconds of a text such as `30s`, `5m` or `1h`, or of `0`; none when it is not one. */
export const parse = (text: string): Option.Option<number> => {
  if (text === "0") return Option.some(0)
  const match = /^(\d{1,6})(s|min|m|h)$/.exec(text)
  return match === null
    ? Option.none()
    : Option.some(Number(match[1]) * units[match[2] as keyof typeof units])
}
