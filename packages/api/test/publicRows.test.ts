/**
 * Compares the rows of the public service with its OpenAPI documents and its recorded responses, beside the checkout
 * if available.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { JsonSchema, Operation, type Row, Rows } from "@chemstream/api"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const shared = join(import.meta.dirname, "../../../../shared")
const read = (name: string): unknown => JSON.parse(readFileSync(join(shared, name), "utf8"))

const families = ["hazard", "exposure", "chemical", "bioactivity"] as const

/** The operations without a row, and why. */
const withoutRow: Readonly<Record<string, string>> = {}

/** The properties of a document that the service does not send, or sends as another type, and why. */
const unsent: Readonly<Record<string, string>> = {
  "GET /hazard/toxval/supercategory/search/by-dtxsid/{} *": "the response is a list of texts",
  ...Object.fromEntries(
    ["GET", "POST"].flatMap((method) =>
      ["assayDescs", "assayname", "technologicalTargetTypes"].map((name) => [
        `${method} /bioactivity/assay/search/by-aeid/${method === "GET" ? "{}" : ""} ${name}`,
        "a property without a type, and no recorded response has it"
      ])
    )
  ),
  "GET /bioactivity/assay/search/by-aeid/{} serviceEntrezGeneId":
    "a property without a type, and no recorded response has it"
}

/** The schemas of a document for operations that the document does not have. */
const undocumented: Readonly<Record<string, string>> = {
  "POST /hazard/toxref/search/by-dtxsid/": "ToxRefBatch"
}

const rows = Rows.all.filter((row: Row.Row) => row.dialect !== undefined)
const operations = Operation.ofRows(rows)

const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}")
const labelOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${withoutNames(path)}`
const familyOf = (path: string): string => path.split("/")[1] as string

interface Listed {
  readonly method: string
  readonly path: string
}

interface Exchange extends Listed {
  readonly bytes: number
  readonly file: string
  readonly status: number
}

type Json = JsonSchema.JsonSchema

const propertiesOf = (schema: Json, root: Json): Readonly<Record<string, Json>> => {
  if (typeof schema["$ref"] === "string") return propertiesOf(resolve(schema["$ref"], root), root)
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((key) => (schema[key] ?? []) as ReadonlyArray<Json>)
  const items = schema["items"] === undefined ? [] : [schema["items"] as Json]
  return Object.assign(
    {},
    schema["properties"],
    ...[...parts, ...items].map((part) => propertiesOf(part, root))
  )
}

const resolve = (pointer: string, root: Json): Json =>
  pointer
    .replace("#/", "")
    .split("/")
    .reduce<unknown>((at, name) => (at as Json)[name], root) as Json

/** Returns the paths of the members of a value that a schema does not have. */
const unknownMembers = (value: unknown, schema: Json, root: Json, at = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((item) => unknownMembers(item, schema, root, at))
  if (typeof value !== "object" || value === null) return []
  const properties = propertiesOf(schema, root)
  return Object.entries(value).flatMap(([name, member]) =>
    properties[name] === undefined
      ? [`${at}${name}`]
      : unknownMembers(member, properties[name], root, `${at}${name}.`)
  )
}

/** Returns the paths of the properties of a document's schema that no schema of a row has, or not with that type. */
const unknownProperties = (
  documented: Json,
  document: Json,
  schemas: ReadonlyArray<readonly [schema: Json, root: Json]>,
  at = ""
): ReadonlyArray<string> =>
  Object.entries(propertiesOf(documented, document)).flatMap(([name, property]) => {
    const found = schemas.flatMap(([schema, root]) => {
      const own = propertiesOf(schema, root)[name]
      return own === undefined ? [] : [[own, root] as const]
    })
    if (found.length === 0) return [`${at}${name}`]
    const type = scalarOf(property)
    if (type !== undefined && !found.some(([own]) => typesOf(own).includes(type)))
      return [`${at}${name} as ${type}`]
    return unknownProperties(property, document, found, `${at}${name}.`)
  })

/** The type of a documented scalar value. An object or list that the document calls a string has `oneOf`. */
const scalarOf = (schema: Json): string | undefined => {
  if (schema["oneOf"] !== undefined || schema["$ref"] !== undefined) return undefined
  const type = schema["type"] === "integer" ? "number" : schema["type"]
  return type === "string" || type === "number" || type === "boolean" ? type : undefined
}

const typesOf = (schema: Json): ReadonlyArray<unknown> => [
  ...[schema["type"]].flat().map((type) => (type === "integer" ? "number" : type)),
  ...((schema["anyOf"] ?? []) as ReadonlyArray<Json>).flatMap(typesOf)
]

/** The schemas of a record of an operation, by form. */
const recordsOf = ({ batch, row }: Operation.Operation): Readonly<Record<string, Schema.Top>> => {
  const own = (batch === undefined ? row.get.part?.record : undefined) ?? row.record
  const forms = Object.entries(row.forms ?? {}).map(([name, { record }]) => [name, record()] as const)
  return { "": own(), ...(row.form === undefined ? {} : { [row.form]: own() }), ...Object.fromEntries(forms) }
}

const recordOf = (operation: Operation.Operation, form: string): Schema.Top => {
  const record = recordsOf(operation)[form]
  if (record === undefined) throw new Error(`${operation.name} has no form ${form}`)
  return record
}

/** Returns the records of a response: those of a list or page, the values of `members`, or the response itself. */
const recordsIn = ({ batch, row }: Operation.Operation, response: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(response)) return response
  if (row.members !== undefined) {
    const members = (response as Record<string, unknown>)[row.members]
    return typeof members === "string" ? members.split(",") : (members as ReadonlyArray<unknown>)
  }
  if (row.get.answer === "page") return (response as { readonly data: ReadonlyArray<unknown> }).data
  return batch === undefined ? [response] : (response as ReadonlyArray<unknown>)
}

/** Returns the paths of the fields of a schema without a description. */
const undescribed = (schema: Json, root: Json, at = ""): ReadonlyArray<string> =>
  Object.entries(propertiesOf(schema, root)).flatMap(([name, field]) => [
    ...(typeof field["description"] === "string" ? [] : [`${at}${name}`]),
    ...undescribed(field, root, `${at}${name}.`)
  ])

describe("a row of the public service", () => {
  it("has records with a strict JSON Schema, whose fields all have descriptions", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { int64: true } })
    for (const keyword of ["x-unit", "x-source", "x-primary-key"]) ajv.addKeyword({ keyword })
    const faults = operations.flatMap((operation) =>
      Object.values(recordsOf(operation)).flatMap((record) => {
        const schema = JsonSchema.of(record)
        ajv.compile(schema)
        return undescribed(schema, schema).map((field) => `${operation.name} ${field}`)
      })
    )
    expect(faults).toEqual([])
  })
})

describe.each(rows as ReadonlyArray<Row.Row>)("the row $name", (row) => {
  const fieldsOf = (record: () => Schema.Top): ReadonlyArray<string> => {
    const schema = JsonSchema.of(record())
    return Object.keys(propertiesOf(schema, schema))
  }

  it("names fields that its records have", () => {
    const forms = Object.values(row.forms ?? {}).flatMap(({ record }) => fieldsOf(record))
    const fields = [...(row.scalar === undefined ? fieldsOf(row.record) : [row.scalar]), ...forms]
    const named = [
      ...(row.order === undefined ? [] : [row.order]),
      ...(row.batch === undefined && row.recordKey === undefined ? [] : [row.recordKey ?? row.key?.name]),
      ...Object.keys(row.unknown ?? {}),
      ...Object.keys(row.blank ?? {}).filter((name) => name !== "*"),
      ...(row.get.part === undefined ? [] : [row.get.part.field])
    ].filter((name) => row.recordKey !== null || name !== row.key?.name)
    expect(named.filter((name) => !fields.includes(name as string))).toEqual([])
  })

  it("adds its key only to records without such a field", () => {
    const isAdded = row.recordKey === null && row.scalar === undefined
    expect(isAdded && fieldsOf(row.record).includes(row.key?.name as string)).toBe(false)
  })
})

describe.skipIf(!existsSync(shared))("the rows of the public service (skipped without ../shared)", () => {
  const listed = existsSync(shared) ? (read("spec/rest-endpoints.json") as ReadonlyArray<Listed>) : []
  const exchanges = existsSync(shared) ? (read("real/rest/index.json") as ReadonlyArray<Exchange>) : []
  const documentOf = (family: string): Json =>
    read(
      existsSync(join(shared, `real/rest/openapi/ctx-${family}.json`))
        ? `real/rest/openapi/ctx-${family}.json`
        : `real/openapi/ctx-${family}.json`
    ) as Json

  it.each(families)("have every operation of %s, and no other", (family) => {
    const expected = listed
      .filter(({ path }) => familyOf(path) === family)
      .map(labelOf)
      .filter((label) => withoutRow[label] === undefined)
    const actual = operations.filter(({ path }) => familyOf(path) === family).map(labelOf)
    expect(actual.sort()).toEqual(expected.sort())
  })

  it("lack no more than the operations without a row", () => {
    expect(Object.keys(withoutRow).filter((label) => !listed.map(labelOf).includes(label))).toEqual([])
    expect(listed).toHaveLength(113)
  })

  it("have batches whose response is at most 8 MiB for substances like the largest recorded ones", () => {
    const sizes = exchanges.flatMap(({ bytes, file, method, path, status }) => {
      if (status !== 200 || !file.endsWith(".json")) return []
      const { pathname } = new URL(path, "http://localhost")
      const row = (rows as ReadonlyArray<Row.Row>).find(({ batch, get, key }) =>
        method === "POST"
          ? batch?.path === pathname
          : pathname.startsWith(get.path.replace(`{${key?.name}}`, ""))
      )
      if (row?.batch === undefined) return []
      const records = [read(`real/rest/answers/${file}`)].flat() as ReadonlyArray<
        Readonly<Record<string, unknown>>
      >
      const found = new Set(records.map((record) => record[row.recordKey ?? row.key?.name ?? ""]))
      return [[row.name, (row.batch.suggested ?? row.batch.limit) * Math.ceil(bytes / found.size)] as const]
    })
    expect(sizes.length).toBeGreaterThan(20)
    expect(sizes.filter(([, size]) => size > 8 * 2 ** 20)).toEqual([])
  })

  describe.each(families)("of %s", (family) => {
    const recorded = exchanges.filter(
      ({ file, path, status }) => status === 200 && file.endsWith(".json") && familyOf(path) === family
    )

    it.each(recorded)("describe every member of $file", ({ file, method, path }) => {
      const { pathname, searchParams } = new URL(path, "http://localhost")
      const operation = operations.find(
        (one) =>
          one.method === method &&
          new RegExp(`^${withoutNames(one.path).replaceAll("{}", "[^/]+")}$`).test(pathname)
      )
      if (operation === undefined) throw new Error(`No row has ${method} ${pathname}`)
      const record = recordOf(operation, searchParams.get("projection") ?? "")
      const records = recordsIn(operation, read(`real/rest/answers/${file}`))
      const schema = JsonSchema.of(record)
      const decode = Schema.decodeUnknownSync(record as Schema.Codec<unknown>)
      expect(records.map((one) => decode(one))).toEqual(records)
      expect(unknownMembers(records, schema, schema)).toEqual([])
    })

    it("describe every property of the service's own document", () => {
      const document = documentOf(family)
      const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, Json>>>>
      const missing = operations
        .filter(({ path }) => familyOf(path) === family)
        .flatMap((operation) => {
          const label = labelOf(operation)
          const path = Object.keys(paths).find((one) => withoutNames(one) === withoutNames(operation.path))
          const response = paths[path ?? ""]?.[operation.method.toLowerCase()]?.["responses"] as
            | Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Json }>> }>>
            | undefined
          const schemas = Object.values(recordsOf(operation)).map((record) => {
            const schema = JsonSchema.of(record)
            return [schema, schema] as const
          })
          const name = undocumented[label]
          const documented =
            name === undefined
              ? Object.values(response?.["200"]?.content ?? {}).flatMap(({ schema }) =>
                  schema === undefined ? [] : [schema]
                )
              : [{ $ref: `#/components/schemas/${name}` }]
          return documented.flatMap((schema) =>
            unknownProperties(schema, document, schemas).map((property) => `${label} ${property}`)
          )
        })
      expect(missing.filter((property) => !isUnsent(property))).toEqual([])
    })
  })
})

/** `GET /path *` stands for all properties of an operation. */
const isUnsent = (property: string): boolean =>
  unsent[property] !== undefined || unsent[`${property.split(" ", 2).join(" ")} *`] !== undefined
