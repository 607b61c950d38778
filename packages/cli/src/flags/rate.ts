/**
 * A rate on the command line: a number of requests per time, e.g. `50/s`.
 */
import { Option } from "effect"

const units = { s: "1 second", min: "1 minute", h: "1 hour" } as const

/** A number of requests in each time. */
export interface Rate {
  readonly requests: number
  readonly per: (typeof units)[keyof typeof units]
}

/** Parses a rate such as `50/s`, `600/min` or `1000/h`. None if the text is malformed or the number is 0. */
export const parse = (text: string): Option.Option<Rate> => {
  const match = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(text)
  if (match === null) return Option.none()
  return Option.some({ requests: Number(match[1]), per: units[match[2] as keyof typeof units] })
}

const seconds = { "1 second": 1, "1 minute": 60, "1 hour": 3600 } as const

/** Converts a rate to requests per second. */
export const perSecond = ({ per, requests }: Rate): number => requests / seconds[per]
