/**
 * Writes the log messages of the packages (`Effect.log…`) to standard error, e.g. about an unusable cache, as text or as lines of JSON.
 *
 * As text, a warning is one line with its reason. An error, such as a fault of `chemstream serve`, is written with its whole cause.
 */
import { Cause, Context, Formatter, Layer, Logger, Tracer } from "effect"
import { reasonOf } from "../CommandFailure.ts"
import * as JsonLog from "./jsonLog.ts"
import * as Messages from "./messages.ts"
import * as ProgressBar from "./progressBar.ts"

/** Makes a logger that writes messages as text. Without stacks, each message is one line. */
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

/** The levels of Effect that have another name here. */
const levels: Readonly<Record<string, JsonLog.Level>> = {
  Trace: "debug",
  Debug: "debug",
  Warn: "warning",
  Error: "error",
  Fatal: "error"
}

const json = Logger.make<unknown, void>(({ cause, fiber, logLevel, message }) => {
  const words = (Array.isArray(message) ? message : [message]).map(wordsOf)
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  Messages.sayLine(
    JsonLog.line(words.join(": "), levels[logLevel] ?? "info", {
      spanId: span?.spanId,
      cause: cause.reasons.length > 0 ? Cause.pretty(cause) : undefined
    })
  )
})

const layerOf = (text: Logger.Logger<unknown, string>): Layer.Layer<never> =>
  Logger.layer([
    JsonLog.isJson()
      ? json
      : Logger.map(text, (line) => {
          ProgressBar.say(line)
        })
  ])

/** Logs to standard error. */
export const layer: Layer.Layer<never> = Layer.suspend(() => layerOf(textOf(true)))

/** Logs to standard error, each message on one line. */
export const layerWithoutStacks: Layer.Layer<never> = Layer.suspend(() => layerOf(textOf(false)))
