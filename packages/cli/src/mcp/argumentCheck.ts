/**
 * Checks the arguments of a tool call before the tool runs. A wrong or unknown argument is a tool error that an assistant can
 * correct.
 */
import { Quote } from "@chemstream/api"
import { Effect, Layer, Result, Schema, SchemaIssue } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { didYouMean } from "../help/nameSuggestions.ts"
import type { EndpointTool } from "./endpointTools.ts"
import { DrawingParameters, toolkit } from "./specialTools.ts"

interface Parameters extends Schema.ConstraintDecoder<unknown> {
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns the parameters of each tool, by its name. */
const parametersOf = (tools: ReadonlyArray<EndpointTool>): ReadonlyMap<string, Parameters> =>
  new Map<string, Parameters>([
    ...[...Object.values(toolkit.tools), ...tools.map(({ tool }) => tool)].map(
      ({ name, parametersSchema }): readonly [string, Parameters] => [
        name,
        parametersSchema as unknown as Parameters
      ]
    ),
    ["structure_image", DrawingParameters]
  ])

/** The server for registrations. Its tools answer a call with wrong arguments by a tool error. */
export const layer = (
  tools: ReadonlyArray<EndpointTool>
): Layer.Layer<McpServer.McpServer, never, McpServer.McpServer> => {
  const parameters = parametersOf(tools)
  return Layer.effect(
    McpServer.McpServer,
    Effect.map(McpServer.McpServer, (server) =>
      McpServer.McpServer.of({
        ...server,
        addTool: ({ handle, ...options }) =>
          server.addTool({
            ...options,
            handle: (given) => {
              const message = refusal(parameters, options.tool.name, given ?? {})
              return message === undefined ? handle(given) : Effect.succeed(errorResult(message))
            }
          })
      })
    )
  )
}

/** Makes the result of a call that an assistant can correct. */
export const errorResult = (text: string): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({ isError: true, content: [{ type: "text", text }] })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns what is wrong with the arguments of a tool, and what is expected. Undefined: nothing. */
const refusal = (
  parameters: ReadonlyMap<string, Parameters>,
  tool: string,
  given: unknown
): string | undefined => {
  const schema = parameters.get(tool)
  if (schema === undefined) return undefined
  const names = Object.keys(schema.fields)
  const unknown = Object.keys(given as object).filter((name) => !names.includes(name))
  const decoded = Schema.decodeUnknownResult(schema)(given, { errors: "all" })
  const problems = [
    ...unknown.map(
      (name) =>
        `unknown argument ${Quote.value(name)}${didYouMean(name, names)}; the arguments are ${names.join(", ")}`
    ),
    ...(Result.isSuccess(decoded)
      ? []
      : format(decoded.failure.issue).issues.map((issue) => problemOf(issue, given)))
  ]
  return problems.length === 0 ? undefined : `${tool}: ${problems.slice(0, mostProblems).join(". ")}.`
}

/** The most problems of one call in a message. */
const mostProblems = 5

const problemOf = (
  { message, path = [] }: { readonly message: string; readonly path?: ReadonlyArray<unknown> | undefined },
  given: unknown
): string => {
  const value = path.reduce(
    (at: unknown, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[String(key)],
    given
  )
  return `the argument ${path.map(String).join(".")} is wrong: ${message.replaceAll(/\s+/g, " ")}, got ${Quote.value(value)}`
}
