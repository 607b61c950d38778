/**
 * Writes the log messages of the packages to standard error, e.g. about an unusable cache.
 *
 * A warning is one line with its reason. An error comes from the service, and is written with its whole cause.
 */
import { Cause, Formatter, type Layer, Logger } from "effect"
import { reasonOf } from "../CommandFailure.ts"
import * as Bar from "./bar.ts"

/** Returns a log message as text. */
export const toText = Logger.make<unknown, string>(({ cause, logLevel, message }) => {
  const words = (Array.isArray(message) ? message : [message]).map(wordsOf)
  const hasCause = cause.reasons.length > 0
  if (logLevel === "Error" || logLevel === "Fatal") {
    return `chemstream: error: ${words.join(": ")}${hasCause ? `\n${Cause.pretty(cause)}` : ""}\n`
  }
  if (hasCause) words.push(reasonOf(Cause.squash(cause)))
  const prefix = logLevel === "Warn" ? "warning: " : ""
  return `chemstream: ${prefix}${words.join(": ").replace(/\s*\n\s*/g, " ")}\n`
})

const wordsOf = (part: unknown): string =>
  typeof part === "string" ? part : part instanceof Error ? part.message : Formatter.formatJson(part)

/** Logs to standard error. */
export const layer: Layer.Layer<never> = Logger.layer([
  Logger.map(toText, (text) => {
    Bar.say(text)
  })
])
