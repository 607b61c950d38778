// Reads the contract as plain data: endpoints, parameters, batch limits, records and problems.
//
// The sources are the OpenAPI document and the annotations of the endpoints. `servicePage.ts` writes the Markdown.

import { BatchLimit, ChemicalApi, ProblemDetails } from "@chemstream/api"
import { Context, Option } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"

/** The parts of a JSON schema that the pages read. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly maximum?: number
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
}

/** A path or query parameter. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly schema: JsonSchema
}

/** An endpoint of the contract. */
export interface Endpoint {
  readonly group: string
  /** The name in its group, e.g. `byDtxsidBatch`. */
  readonly name: string
  readonly method: string
  /** The path with its parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: JsonSchema | undefined
  readonly limit: BatchLimit.Limit | undefined
  readonly mediaType: string
  readonly response: JsonSchema
}

/** A problem of the service. */
export interface ProblemClass {
  readonly name: string
  readonly status: number
  readonly title: string
}

interface Operation {
  readonly summary: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

/** Returns every endpoint, in the order of the contract. */
export const endpoints = (): ReadonlyArray<Endpoint> => {
  const document = OpenApi.fromApi(ChemicalApi.ChemicalApi)
  const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const found: Array<Endpoint> = []
  HttpApi.reflect(ChemicalApi.ChemicalApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const operation = paths[path]?.[endpoint.method.toLowerCase()]
      const [response] = Object.entries(operation?.responses["200"]?.content ?? {})
      if (operation === undefined || response === undefined) {
        throw new Error(`The OpenAPI document lacks ${endpoint.method} ${path}`)
      }
      found.push({
        group: group.identifier,
        name: endpoint.identifier,
        method: endpoint.method,
        path,
        summary: operation.summary,
        parameters: operation.parameters,
        body: Object.values(operation.requestBody?.content ?? {})[0]?.schema,
        limit: Option.getOrUndefined(Context.getOption(endpoint.annotations, BatchLimit.BatchLimit)),
        mediaType: response[0],
        response: response[1].schema
      })
    }
  })
  return found
}

/** Returns every problem, by status. */
export const problems = (): ReadonlyArray<ProblemClass> =>
  Object.entries(ProblemDetails)
    .map(([name, Class]) => {
      const { status, title } = new Class({ detail: "" })
      return { name, status, title }
    })
    .sort((a, b) => a.status - b.status)

/** Returns the schema without the alternative `null`. */
export const withoutNull = (schema: JsonSchema): JsonSchema => {
  const others = schema.anyOf?.filter(({ type }) => type !== "null")
  return others?.length === 1 && others[0] !== undefined ? others[0] : schema
}

/** Returns the description of a value, or the empty text. */
export const descriptionOf = (schema: JsonSchema): string => {
  const { allOf, description } = withoutNull(schema)
  return description ?? allOf?.map((one) => one.description).find((one) => one !== undefined) ?? ""
}

/** Returns the type of a value in words, e.g. `array of string`. */
export const typeOf = (schema: JsonSchema): string => {
  const { additionalProperties, allOf, anyOf, format, items, type } = withoutNull(schema)
  if (anyOf !== undefined) {
    const others = anyOf.filter((one) => one.type !== "null")
    return [...new Set(others.map(typeOf))].join(" or ")
  }
  if (type === "array") return items === undefined ? "array" : `array of ${typeOf(items)}`
  if (type === "object" && typeof additionalProperties === "object" && "anyOf" in additionalProperties) {
    return `object of ${typeOf(additionalProperties)}`
  }
  const formats = [format, ...(allOf ?? []).map((one) => one.format)]
  return type === "number" && formats.includes("int64") ? "integer" : (type ?? "any")
}

/** Returns the names of the fields of a record. Undefined: the value is not a record. */
export const fieldNamesOf = (schema: JsonSchema): ReadonlyArray<string> | undefined =>
  schema.properties === undefined ? undefined : Object.keys(schema.properties)
