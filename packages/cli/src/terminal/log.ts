/**
 * Writes the log messages of the packages to standard error, e.g. about an unusable cache.
 *
 * A warning is one line with its reason. An error comes from the service, and is written with its whole cause.
 */
import { Cause, Formatter, type Layer, Logger } from "effect"
import { reasonOf } from "../CommandFailure.ts"
import * as Bar from "./bar.ts"

/** Makes log messages text. Without stacks, each message is one line. */
export const textOf = (hasStacks: boolean) =>
  Logger.make<unknown, string>(({ cause, logLevel, message }) => {
    const words = (Array.isArray(message) ? message : [message]).map(wordsOf)
    const hasCause = cause.reasons.length > 0
    const isError = logLevel === "Error" || logLevel === "Fatal"
    if (isError && hasStacks)
      return `chemstream: error: ${words.join(": ")}${hasCause ? `\n${Cause.pretty(cause)}` : ""}\n`
    if (hasCause) words.push(reasonOf(Cause.squash(cause)))
    const prefix = isError ? "error: " : logLevel === "Warn" ? "warning: " : ""
    return `chemstream: ${prefix}${words.join(": ").replace(/\s*\n\s*/g, " ")}\n`
  })

const wordsOf = (part: unknown): string =>
  typeof part === "string" ? part : part instanceof Error ? part.message : Formatter.formatJson(part)

const layerOf = (text: Logger.Logger<unknown, string>): Layer.Layer<never> =>
  Logger.layer([
    Logger.map(text, (line) => {
      Bar.say(line)
    })
  ])

/** Logs to standard error. */
export const layer: Layer.Layer<never> = layerOf(textOf(true))

/** Logs to standard error, each message on one line. */
export const layerWithoutStacks: Layer.Layer<never> = layerOf(textOf(false))
