// Writes the interfaces of records from their schemas, so that an editor shows their names, and the meaning of each field.
//
// It reads the sources, not the build, because the schemas have the types that it writes.

import { globSync } from "node:fs"
import { basename, join } from "node:path"
import type { Schema } from "effect"
import * as api from "../src/index.ts"
import { assayResult } from "../src/records/internal/assayResult.ts"
import { comment } from "./comment.ts"

const records = join(import.meta.dirname, "../src/records")

/** Returns each file, relative to the root of the repository, with its text. */
export const files = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("*.ts", { cwd: records }).flatMap((file) => {
      const name = basename(file, ".ts")
      const text = name === "DetailRecord" ? detailText() : textOf(name)
      return text === undefined ? [] : [[`packages/api/src/records/internal/types/${file}`, text]]
    })
  )

const modules: ReadonlyMap<string, object> = new Map(Object.entries(api))

const markOf = (name: string): string =>
  `// Generated from packages/api/src/records/${name}.ts by \`npm run generate\`. Change the schema there instead.`

const textOf = (module: string): string | undefined => {
  const interfaces = Object.entries(modules.get(module) ?? {})
    .filter(([name]) => /^[A-Z]/.test(name))
    .map(([name, value]) => [name, recordOf(value)] as const)
    .flatMap(([name, schema]) => (schema === undefined ? [] : [interfaceOf(name, schema)]))
  return interfaces.length === 0 ? undefined : `${[markOf(module), ...interfaces.sort()].join("\n\n")}\n`
}

/** The names of the interfaces of detail records, by projection. */
const detailNames = {
  chemicaldetailstandard: "StandardDetails",
  chemicalidentifier: "IdentifierDetails",
  chemicalstructure: "StructureDetails",
  ntatoolkit: "NtaDetails",
  ccdchemicaldetails: "DashboardDetails",
  ccdassaydetails: "AssayDetails",
  chemicaldetailall: "AllDetails",
  compact: "CompactDetails"
} as const

const detailText = (): string => {
  const { schemas } = api.DetailRecord
  const own = api.DetailProjection.names.map((projection) => {
    const others = projection === "ccdassaydetails" ? [schemas.chemicaldetailall, assayResult] : []
    return interfaceOf(detailNames[projection], schemas[projection], others)
  })
  const forms = Object.entries(detailNames).map(([projection, name]) => `  readonly ${projection}: ${name}`)
  const byProjection = `/** The detail record in each projection. */\nexport interface Details {\n${forms.join("\n")}\n}`
  return `${[markOf("DetailRecord"), ...own, byProjection].join("\n\n")}\n`
}

/** Returns the schema of a record, also of one that is made later. Undefined: the value has none. */
const recordOf = (value: unknown): Schema.Constraint | undefined => {
  const schema = (typeof value === "function" && !("ast" in value) ? value() : value) as {
    readonly ast?: object
  }
  return Object.entries(jsonOf(schema as Schema.Constraint).properties ?? {}).length > 0
    ? (schema as Schema.Constraint)
    : undefined
}

/** The part of a JSON Schema that is needed here. */
interface Json {
  readonly title?: string
  readonly description?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Json>
  readonly items?: Json
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Json | boolean
}

const jsonOf = (schema: Schema.Constraint): Json => api.JsonSchema.of(schema) as Json

/** Returns the interface of a record, with the fields of all dialects, and of `others`. */
const interfaceOf = (
  name: string,
  schema: Schema.Constraint,
  others: ReadonlyArray<Schema.Constraint> = []
): string => {
  const own = jsonOf(schema)
  const more = [schema, ...others].flatMap((one) => [
    jsonOf(one),
    jsonOf(api.RecordSchema.inDialect(one, "ctx"))
  ])
  const properties = more.reduce<Json>(merge, own)
  return `${comment([`${own.title ?? name}.`])}\nexport interface ${name} ${objectOf(properties)}`
}

/** Adds the fields that a record has in another dialect. */
const merge = (own: Json, other: Json): Json => {
  const properties = { ...own.properties }
  for (const [name, field] of Object.entries(other.properties ?? {})) {
    const known = properties[name]
    properties[name] = known?.properties === undefined ? (known ?? field) : merge(known, field)
  }
  return { ...own, properties }
}

const objectOf = ({ properties = {}, required = [] }: Json): string => {
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description === undefined ? [] : [comment([`${field.description}.`], "  ")]),
    `  readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field)}`
  ])
  return `{\n${fields.join("\n")}\n}`
}

const typeOf = (field: Json): string => {
  if (field.enum !== undefined) return field.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (field.anyOf !== undefined) return [...new Set(field.anyOf.map(typeOf))].join(" | ")
  if (field.type === undefined) return "unknown"
  return [field.type]
    .flat()
    .map((type) => typeNamed(type, field))
    .join(" | ")
}

const typeNamed = (type: string, field: Json): string => {
  if (type === "integer") return "number"
  if (type === "array") return `ReadonlyArray<${typeOf(field.items ?? {})}>`
  if (type !== "object") return type
  if (field.properties !== undefined) return objectOf(field)
  const values =
    typeof field.additionalProperties === "object" ? typeOf(field.additionalProperties) : "unknown"
  return `{ readonly [name: string]: ${values} }`
}
