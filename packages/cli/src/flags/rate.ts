/**
 * A rate as it is written on the command line: a number of requests, and the time they are for.
 */
import { Option } from "effect"

const units = { s: "1 second", min: "1 minute", h: "1 hour" } as const

/** So many requests in each such time. */
export interface Rate {
  readonly requests: number
  readonly per: (typeof units)[keyof typeof units]
}

/** The rate of a text such as `50/s`, `600/min` or `1000/h`; none when it is not one, or the number is 0. */
export const parse = (text: string): Option.Option<Rate> => {
  const match = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(text)
  if (match === null) return Option.none()
  return Option.some({ requests: Number(match[1]), per: units[match[2] as keyof typeof units] })
}

const seconds = { "1 second": 1, "1 minute": 60, "1 hour": 3600 } as const

/** The same as requests a second. */
export const perSecond = ({ per, requests }: Rate): number => requests / seconds[per]
