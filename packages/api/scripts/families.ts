// The families of rows, and the words and types of each row.

import * as api from "@chemstream/api"
import { type Key, Operation, type Row, Rows } from "@chemstream/api"

/** A family of rows. */
export interface Family {
  /** The group of its rows, e.g. `msready`. */
  readonly group: string
  /** The name of its modules of rows and lookups. */
  readonly name: string
  /** The name of the interface of its calls. */
  readonly calls: string
  /** The beginning of the names of its types. */
  readonly prefix: string
  readonly rows: ReadonlyArray<Row.Row>
  /** The interface of the special calls, which it extends, and the methods of that. */
  readonly special?: { readonly calls: string; readonly methods: ReadonlyArray<string> }
  /** The module of the special lookups, and their names. */
  readonly lookups?: { readonly module: string; readonly names: ReadonlyArray<string> }
  /** The older names of lookups. */
  readonly aliases?: Readonly<Record<string, string>>
}

const rowsOf = (group: string): ReadonlyArray<Row.Row> =>
  Rows.all.filter(({ name }) => Operation.groupOf(name) === group)

const family = (group: string, name: string, prefix: string, more: Partial<Family> = {}): Family => ({
  group,
  name,
  prefix,
  calls: `${prefix}Calls`,
  rows: rowsOf(group),
  ...more
})

/** Every family, in the order of the contract. */
export const all: ReadonlyArray<Family> = [
  family("details", "Details", "Detail"),
  family("search", "Search", "Search", {
    special: { calls: "NameSearchCalls", methods: ["equal", "equalBatch", "startWith", "contain"] },
    lookups: { module: "nameSearch", names: ["equal", "equalBatch", "startWith", "contain"] }
  }),
  family("msready", "MsReady", "MsReady", {
    special: { calls: "MassCalls", methods: ["byDtxcidBatch", "byMass", "byMassBatch"] },
    lookups: { module: "msReadySearch", names: ["byDtxcid", "byMass", "byMassRange"] }
  }),
  family("synonyms", "Synonyms", "Synonym"),
  family("bioactivity", "Bioactivity", "Bioactivity", { aliases: { aed: "aedByDtxsid" } }),
  family("hazard", "Hazard", "Hazard"),
  family("exposure", "Exposure", "Exposure"),
  family("properties", "Properties", "Property"),
  family("fate", "Fate", "Fate"),
  family("lists", "Lists", "List"),
  family("assays", "Assays", "Assay"),
  family("files", "Files", "File"),
  family("extra", "Extra", "Extra"),
  family("links", "Links", "Link")
]

/** Where a family is described. */
export const placeOf = ({ group, rows: [row] }: Family): string =>
  row?.section === undefined ? `docs/families/${group}.md` : `docs/service.md, section ${row.section}`

/** The order of a namespace depends on the loader. */
const sortedEntries = (object: object): ReadonlyArray<[string, unknown]> =>
  Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))

/** Returns the type of the records of a schema, by the name under which the contract exports it or what makes it. */
export const typeOf = (record: () => unknown): string => {
  const schema = record()
  for (const [module, exported] of sortedEntries(api)) {
    for (const [name, value] of sortedEntries(exported as object)) {
      if (value === schema || value === record) return `${module}.${name}`
      if (name !== "schemas") continue
      const part = Object.entries(value as object).find(([, one]) => one === schema)
      if (part !== undefined) return `${module}.${module}<"${part[0]}">`
    }
  }
  const { _tag } = (schema as { readonly ast: { readonly _tag: string } }).ast
  if (_tag === "String" || _tag === "Number") return _tag.toLowerCase()
  throw new Error("a row has a schema of records that the contract does not export")
}

/** Returns the namespaces of types in a text, for its import. */
export const namespacesOf = (text: string): ReadonlyArray<string> =>
  Object.keys(api).filter((name) => new RegExp(`(?<![\\w.])${name}\\.[A-Z]`).test(text))

/** The fields of a key as parameters of a function. */
export const fieldsOf = (key: Key.Key): ReadonlyArray<{ readonly name: string; readonly type: string }> =>
  Object.entries(key.fields).map(([name, schema]) => ({
    name,
    type: (schema as { readonly ast: { readonly _tag: string } }).ast._tag === "Number" ? "number" : "string"
  }))

/** The names of the forms of a row, with that of its own. */
export const formsOf = (row: Row.Row): ReadonlyArray<readonly [string, Row.Form]> => {
  if (row.forms === undefined) return []
  const own = row.form ?? ""
  const others = Object.entries(row.forms)
  return own in row.forms ? others : [[own, { record: row.record }], ...others]
}
