/**
 * The rate of the requests: the text of an option, e.g. `50/s` (`--rate`, `serve --rate-limit`), and the rate that a run has.
 */
import { ChemClient, Dialect } from "@chemstream/client"
import { Context, Effect } from "effect"

const units = { s: "1 second", min: "1 minute", h: "1 hour" } as const

/** A number of requests in each time. */
export interface Rate {
  readonly requests: number
  readonly per: (typeof units)[keyof typeof units]
}

/** Parses a rate such as `50/s`, `600/min` or `1000/h`. Undefined: the text is malformed, or the number is 0. */
export const parse = (text: string): Rate | undefined => {
  const match = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(text)
  return match === null
    ? undefined
    : { requests: Number(match[1]), per: units[match[2] as keyof typeof units] }
}

const seconds = { "1 second": 1, "1 minute": 60, "1 hour": 3600 } as const

/** Converts a rate to requests per second. */
export const perSecond = ({ per, requests }: Rate): number => requests / seconds[per]

/** Renders requests per second in the unit of time in which they are a whole number, if there is one. */
export const toText = (rate: number): string => {
  const unit = (["s", "min", "h"] as const).find((one) => Number.isInteger(round(rate * seconds[units[one]])))
  return `${round(rate * seconds[units[unit ?? "s"]])}/${unit ?? "s"}`
}

const round = (value: number): number => Number(value.toPrecision(6))

/** The rate of `--rate`, in requests per second. */
export const Given = Context.Reference<number | undefined>("chemstream/Rate", {
  defaultValue: () => undefined
})

/** The requests per second of a run: those of `--rate`, else of the dialect. Undefined: no limit. */
export const ofRun: Effect.Effect<number | undefined, never, ChemClient.ChemClient> = Effect.gen(
  function* () {
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    return (yield* Given) ?? Dialect.pace(dialect, baseUrl)
  }
)
