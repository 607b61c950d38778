// Writes the lookups of a family.

import { Operation, type Row } from "@chemstream/api"
import { comment, mark } from "./comment.ts"
import * as Families from "./families.ts"

/** Returns the module of the lookups of a family. */
export const toText = (family: Families.Family): string => {
  const { aliases = {}, lookups, name } = family
  const plain = family.rows.filter((row) => lookups?.names.includes(Operation.methodOf(row.name)) !== true)
  const body = [
    ...(lookups === undefined ? [] : [`export * from "./internal/special/${lookups.module}.ts"`, ""]),
    ...plain.flatMap((row) => optionsOf(family, row, plain)),
    ...scalarTypes(plain),
    ...plain.map((row) => textOf(family, row)),
    ...Object.entries(aliases).map(
      ([alias, of]) => `/** The older name of \`${of}\`. */\nexport const ${alias}: typeof ${of} = ${of}\n`
    )
  ].join("\n")
  const types = Families.namespacesOf(body).filter((one) => one !== name)
  const fromApi = [name, ...types.map((one) => `type ${one}`)].sort((a, b) =>
    a.replace("type ", "") < b.replace("type ", "") ? -1 : 1
  )
  return [
    mark,
    comment([
      `Makes the lookups of the group \`${family.group}\` (${Families.placeOf(family)}): a function for each endpoint. \`Lookup.outcomes\` runs a lookup.`
    ]),
    `import { ${fromApi.join(", ")} } from "@chemstream/api"`,
    ...(body.includes("lookupOf(")
      ? [
          `import { ${body.includes("FormsOf<") ? "type FormsOf, " : ""}lookupOf } from "./internal/endpointLookup.ts"`
        ]
      : []),
    ...pagesImport(body),
    ...(body.includes("ScalarRecord<")
      ? ['import type { ScalarRecord } from "./internal/scalarRecord.ts"']
      : []),
    ...lookupImport(body),
    "",
    body
  ].join("\n")
}

const lookupImport = (body: string): ReadonlyArray<string> => {
  const types = ["LookupOfMany", "LookupOfOne"].filter((name) => body.includes(`${name}<`))
  return types.length === 0 ? [] : [`import type { ${types.join(", ")} } from "./Lookup.ts"`]
}

const pagesImport = (body: string): ReadonlyArray<string> => {
  if (!body.includes("pagesOf(")) return []
  const types = ["PageOf", "PagesOptions", "PagesOf"].filter((name) => body.includes(`${name}<`))
  const names = ["pagesOf", ...types.map((name) => `type ${name}`)]
  const sorted = names.sort((a, b) => a.replace("type ", "").localeCompare(b.replace("type ", "")))
  return [`import { ${sorted.join(", ")} } from "./internal/endpointPages.ts"`]
}

const textOf = (family: Families.Family, row: Row.Row): string => {
  if (row.key !== undefined) return lookupText(family, row)
  return row.page === undefined ? catalogueText(family, row) : pagesText(family, row)
}

/** The beginning of the names of types of a row: none for the rows of a family that are named by their key alone. */
const prefixOf = (row: Row.Row): string => {
  const method = Operation.methodOf(row.name)
  return method.startsWith("by") ? "" : `${method.charAt(0).toUpperCase()}${method.slice(1)}`
}

const optionsOf = (
  { name }: Families.Family,
  row: Row.Row,
  plain: ReadonlyArray<Row.Row>
): ReadonlyArray<string> => {
  const prefix = prefixOf(row)
  const hasForms = ({ forms, key }: Row.Row): boolean => forms !== undefined && key !== undefined
  const [first, ...others] = plain.filter((other) => hasForms(other) && prefixOf(other) === prefix)
  if (first !== row) return []
  const methods = [row, ...others].map((one) => `\`${Operation.methodOf(one.name)}\``).join(" and ")
  return [
    comment([`The record of ${methods}, by projection.`]),
    `export type ${prefix}Forms = FormsOf<typeof ${name}.${Operation.methodOf(row.name)}>`,
    "",
    comment([`The options of ${methods}.`]),
    `export interface ${prefix}Options<P extends keyof ${prefix}Forms = keyof ${prefix}Forms> {`,
    comment([`The projection of the records: ${row.formsNote}. Default: \`${row.form}\`.`], "  "),
    "  readonly projection?: P | undefined",
    "}",
    ""
  ]
}

const lookupText = ({ name }: Families.Family, row: Row.Row): string => {
  const method = Operation.methodOf(row.name)
  const value = `lookupOf(${name}.${method})`
  const hasForms = row.forms !== undefined
  const prefix = prefixOf(row)
  const parameters = Object.keys(row.query ?? {}).map((parameter) => `${parameter}: string`)
  const signature = hasForms
    ? `<P extends keyof ${prefix}Forms = ${JSON.stringify(row.form)}>(options?: ${prefix}Options<P>)`
    : `(${parameters.join(", ")})`
  return `${comment([sentence(row), example(name, row)])}
export const ${method}: ${signature} => ${lookupOf(row)} = ${value}
`
}

/** The type of the lookup of a row. A projection may change how many records a value has. */
const lookupOf = (row: Row.Row): string => {
  const { forms = {}, multiplicity: own } = row
  const record = recordOf(row)
  const others = Object.entries(forms).flatMap(([form, { multiplicity = own }]) =>
    multiplicity === own ? [] : [JSON.stringify(form)]
  )
  if (others.length === 0) return `${typeNames[own]}<${record}>`
  const other = own === "one" ? "many" : "one"
  return `P extends ${others.join(" | ")} ? ${typeNames[other]}<${record}> : ${typeNames[own]}<${record}>`
}

const typeNames = { one: "LookupOfOne", many: "LookupOfMany" } as const

/** The names of the types of records of scalar values, and what they are. Default: the name of the value. */
const scalars: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  dtxsid: { name: "Substance", text: "A requested value, and a substance that matches it." },
  count: { name: "Count", text: "A requested value, and the number of substances that match it." }
}

const scalarTypes = (rows: ReadonlyArray<Row.Row>): ReadonlyArray<string> =>
  [
    ...new Map(rows.flatMap((row) => (row.scalar === undefined ? [] : [[row.scalar, row] as const]))).values()
  ].map(({ record, scalar = "" }) => {
    const { name, text } = scalarOf(scalar)
    return `${comment([text])}\nexport type ${name} = ScalarRecord<"${scalar}", ${Families.typeOf(record)}>\n`
  })

const scalarOf = (scalar: string) =>
  scalars[scalar] ?? {
    name: `${scalar.charAt(0).toUpperCase()}${scalar.slice(1)}`,
    text: `A requested value, and its \`${scalar}\`.`
  }

const recordOf = (row: Row.Row): string => {
  if (row.forms !== undefined) return `${prefixOf(row)}Forms[P]`
  return row.scalar === undefined ? Families.typeOf(row.record) : scalarOf(row.scalar).name
}

const sentence = (row: Row.Row): string => {
  if (row.scalar !== undefined && row.forms === undefined) {
    const each = row.multiplicity === "many" ? " for each" : ""
    return `Finds the ${row.what}: one record \`{"query","${row.scalar}"}\`${each}.`
  }
  const number = row.multiplicity === "many" ? ", any number for each" : ""
  const largest = row.batch?.suggested ?? row.batch?.limit
  const size =
    largest === undefined ? "one request for each" : `up to ${largest} ${row.key?.many} in a request`
  // Some rows say themselves which value they mean, e.g. "the assays with exactly this name".
  const subject = /\bthis\b/.test(row.what) ? "Finds" : "Looks up"
  const values = subject === "Finds" ? "" : ` of ${row.key?.many}`
  return `${subject} the ${row.what}${values}${number}: ${size}.`
}

const example = (name: string, row: Row.Row): string =>
  row.forms === undefined
    ? ""
    : `@example
\`\`\`ts
import { ${name} } from "@chemstream/stream"

${name}.${Operation.methodOf(row.name)}().size // => ${row.batch?.suggested ?? row.batch?.limit ?? 1}
\`\`\``

const catalogueText = ({ name }: Families.Family, row: Row.Row): string => {
  const method = Operation.methodOf(row.name)
  return `${comment([`Streams the ${row.what}, from one response.`])}
export const ${method}: PagesOf<typeof ${name}.${method}>["all"] = pagesOf(${name}.${method}).all
`
}

const pagesText = ({ name }: Families.Family, row: Row.Row): string => {
  const method = Operation.methodOf(row.name)
  const title = `${method.charAt(0).toUpperCase()}${method.slice(1)}`
  return `${comment([`The projections of \`${method}\`.`])}
export type ${title}Projection = ${Families.formsOf(row)
    .map(([form]) => JSON.stringify(form))
    .join(" | ")}

${comment([`The options of \`${method}\`.`])}
export type ${title}Options<P extends ${title}Projection = ${title}Projection> = PagesOptions<P>

${comment([`A page of \`${method}\`. To resume a run, begin with the page after the last one that you processed.`])}
export type Page<P extends ${title}Projection = ${title}Projection> = PageOf<typeof ${name}.${method}, P>

const pagesOf${title}: PagesOf<typeof ${name}.${method}> = pagesOf(${name}.${method})

${comment([
  `Streams ${row.what}, record by record, from the page \`page\` until an empty page. One page is in memory at a time; the next is requested when it is consumed.`,
  "A `page` that is not a whole number from 1 fails with `InvalidIdentifier` before the first request. A page that starts like the page before it fails with `MalformedResponse`, because the service ignores the page number and would send the same page forever.",
  `@example
\`\`\`ts
import { ${name} } from "@chemstream/stream"
import { Stream } from "effect"

const some = ${name}.${method}({ projection: ${JSON.stringify(Object.keys(row.forms ?? {})[0])} }).pipe(Stream.take(1000))
\`\`\``
])}
export const ${method}: PagesOf<typeof ${name}.${method}>["all"] = pagesOf${title}.all

${comment([`Requests one page of ${row.what}. Default: the first page. \`next\` is the number or cursor of the page after it.`])}
export const page: PagesOf<typeof ${name}.${method}>["page"] = pagesOf${title}.page

${comment([`Streams the pages of ${row.what}, as \`${method}\` streams their records. To resume a run, begin with the page after the last one that you processed.`])}
export const pages: PagesOf<typeof ${name}.${method}>["pages"] = pagesOf${title}.pages
`
}
