// Writes the endpoints of the contract as tables: requests, parameters, responses and batch limits.

import { Details } from "@chemstream/api"
import { descriptionOf, type Endpoint, type JsonSchema, type Parameter, typeOf } from "./contract.ts"
import { code, table, wrap } from "./markdown.ts"
import { recordNameOf } from "./recordTables.ts"
import { ServicePageError } from "./ServicePageError.ts"

/** The meanings of parameters that the contract does not describe. */
const meanings: Readonly<Record<string, string>> = {
  dtxsid: "Substance identifier",
  dtxcid: "Compound identifier",
  formula: "Molecular formula, the elements in any order",
  start: "Smallest mass, in dalton, included",
  end: "Largest mass, in dalton, included",
  aeid: "Assay endpoint identifier, a positive 32-bit integer",
  m4id: "Data record identifier, a positive 32-bit integer",
  [Details.defaultPageParameter]: "Number of the page, from 1. Default: 1"
}

/** Writes the endpoints of a group: a table of requests, the media types, and the parameters. */
export const endpointsOf = (group: string, all: ReadonlyArray<Endpoint>): string => {
  const rows = all.map((endpoint) => [
    code(`${endpoint.method} ${endpoint.path}`),
    takes(endpoint, all),
    responseOf(endpoint.response)
  ])
  const parameters = new Map<string, Parameter>(
    all.flatMap((endpoint) =>
      endpoint.parameters.map((parameter) => [
        `${parameter.in} ${parameter.name} ${describe(parameter)}`,
        parameter
      ])
    )
  )
  return [
    table(["request", "takes", "response"], rows),
    wrap(`Accept and response type: ${mediaTypes(group, all)}.`),
    [...parameters.values()]
      .map((parameter) =>
        wrap(
          `- ${code(parameter.name)} (${parameter.in}${parameter.required ? "" : ", optional"}): ${describe(parameter)}.`,
          "  "
        )
      )
      .join("\n")
  ].join("\n\n")
}

const describe = ({ name, schema }: Parameter): string => {
  const meaning = descriptionOf(schema) || meanings[name]
  if (meaning === undefined) throw new ServicePageError(`The page has no meaning for the parameter ${name}`)
  const values = schema.enum === undefined ? "" : `. Values: ${schema.enum.map(code).join(", ")}`
  return `${meaning}${values}`
}

/** Returns the query parameters of a request, and the values of a batch. */
const takes = (endpoint: Endpoint, group: ReadonlyArray<Endpoint>): string => {
  const query = endpoint.parameters.filter((one) => one.in === "query").map(({ name }) => code(name))
  return [...(endpoint.body === undefined ? [] : [bodyOf(endpoint, group)]), ...query].join(", ")
}

const bodyOf = ({ body, limit, name }: Endpoint, group: ReadonlyArray<Endpoint>): string => {
  const most = `1–${limit?.values}`
  if (body?.type === "object") {
    return Object.keys(body.properties ?? {})
      .map((field) => (field === "error" ? code(field) : `${most} ${code(field)}`))
      .join(", ")
  }
  // A batch takes the values that the single request of the same name has in its path.
  const single = group.find((other) => `${other.name}Batch` === name)
  const [value] = single?.parameters.filter((one) => one.in === "path") ?? []
  if (value === undefined) throw new ServicePageError(`The page has no name for the values of ${name}`)
  return `${most} ${code(value.name)}`
}

const mediaTypes = (group: string, all: ReadonlyArray<Endpoint>): string => {
  const byType = Map.groupBy(all, ({ mediaType }) => mediaType)
  const [usual, ...others] = [...byType].sort(([, a], [, b]) => b.length - a.length)
  if (usual === undefined) throw new ServicePageError(`The group ${group} has no endpoint`)
  return [
    code(usual[0]),
    ...others.map(([type, some]) => `${code(type)} for ${some.map(({ path }) => code(path)).join(" and ")}`)
  ].join("; ")
}

/** Returns a response in words: a record by its name, an array as a plural. */
const responseOf = (schema: JsonSchema): string => {
  const { additionalProperties, anyOf, items, type } = schema
  if (anyOf !== undefined) {
    const [first, second] = anyOf
    if (first !== undefined && second?.items !== undefined && recordNameOf(second.items) !== undefined) {
      if (recordNameOf(first) === recordNameOf(second.items)) return `${responseOf(first)}, or an array of it`
    }
    return anyOf.map(responseOf).join(" or ")
  }
  if (type === "array") {
    if (items === undefined) return "array"
    const name = recordNameOf(items)
    return name === undefined ? `array of ${valueName(items)}` : plural(name)
  }
  const name = recordNameOf(schema)
  if (name !== undefined) return name
  if (type === "object" && typeof additionalProperties === "object") {
    return `object of ${valueName(additionalProperties.items ?? additionalProperties)} arrays`
  }
  return descriptionOf(schema) === ""
    ? typeOf(schema)
    : `${typeOf(schema)}: ${descriptionOf(schema).toLowerCase()}`
}

const valueName = (schema: JsonSchema): string =>
  descriptionOf(schema).startsWith("Substance identifier") ? code("dtxsid") : typeOf(schema)

const plural = (name: string): string => (name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`)

/** Writes the limit of each batch. */
export const batchLimits = (all: ReadonlyArray<Endpoint>): string =>
  table(
    ["batch", "values", "one more", "limit"],
    all.flatMap(({ limit, method, path }) =>
      limit === undefined
        ? []
        : [
            [
              code(`${method} ${path}`),
              String(limit.values),
              String(limit.refusal),
              limit.documented ? "documented" : "ours"
            ]
          ]
    )
  )
