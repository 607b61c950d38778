// Writes the interface of the calls of a family.

import { Operation, Row } from "@chemstream/api"
import { comment, mark } from "./comment.ts"
import * as Families from "./families.ts"

/** Returns the module of the calls of a family. */
export const toText = (family: Families.Family): string => {
  const methods = family.rows.flatMap((row) => methodsOf(family, row))
  const forms = family.rows.filter(({ forms }) => forms !== undefined)
  const { special } = family
  const body = [
    ...forms.map((row) => formsInterface(family, row)),
    comment([`The calls of the group \`${family.group}\`.`]),
    `export interface ${family.calls}<F extends Mode = Effects>${special === undefined ? "" : ` extends ${special.calls}<F>`} {`,
    methods.join("\n\n"),
    "}"
  ].join("\n")
  const types = [
    ...Families.namespacesOf(body),
    ...(body.includes("Row.RecordsByForm<") ? [family.name] : [])
  ].sort()
  const modes = ["Effects", "Many", "Mode", "One", "Records"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body.replaceAll(/\/\*\*.*?\*\//gs, ""))
  )
  return [
    mark,
    comment([
      `The calls of the group \`${family.group}\` (${Families.placeOf(family)}).`,
      "A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`, both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or promises (`Mode`)."
    ]),
    ...(types.length === 0 ? [] : [`import type { ${types.join(", ")} } from "@chemstream/api"`]),
    `import type { ${modes.join(", ")} } from "./Mode.ts"`,
    ...(body.includes("Page<") ? ['import type { Page } from "./Pages.ts"'] : []),
    ...(special === undefined ? [] : [`import type { ${special.calls} } from "./${special.calls}.ts"`]),
    "",
    body,
    ""
  ].join("\n")
}

const isPaged = (row: Row.Row): boolean => row.page !== undefined

/** The name of the interface of the forms of a row. */
const formsName = ({ prefix }: Families.Family, row: Row.Row): string => {
  const method = Operation.methodOf(row.name)
  return method.startsWith("by")
    ? `${prefix}Forms`
    : `${method.charAt(0).toUpperCase()}${method.slice(1)}Forms`
}

/** Whether the responses of all forms are lists, or none is, so that the forms name records. */
const haveOneAnswer = (row: Row.Row): boolean =>
  Families.formsOf(row).every(([form]) => Row.isList(row, form) === Row.isList(row))

const formsInterface = (family: Families.Family, row: Row.Row): string => {
  const name = formsName(family, row)
  const first = family.rows.find((other) => formsName(family, other) === name && other.forms !== undefined)
  if (first !== row) return ""
  const title = comment([`The forms of ${row.what}, by projection.`])
  if (haveOneAnswer(row)) {
    const { name: rows } = family
    return `${title}\nexport type ${name} = Row.RecordsByForm<typeof ${rows}.${Operation.methodOf(row.name)}>\n`
  }
  return [
    title,
    `export interface ${name} {`,
    ...Families.formsOf(row).map(([form, { record }]) => {
      const type = Families.typeOf(record)
      return `  readonly ${JSON.stringify(form)}: ${Row.isList(row, form) ? `ReadonlyArray<${type}>` : type}`
    }),
    "}",
    ""
  ].join("\n")
}

const methodsOf = (family: Families.Family, row: Row.Row): ReadonlyArray<string> => {
  const method = Operation.methodOf(row.name)
  if (isPaged(row)) return pagedMethods(family, row)
  const names = [
    [method, () => singleMethod(family, row)],
    [`${method}Batch`, () => (row.batch === undefined ? "" : batchMethod(family, row))]
  ] as const
  const own = names
    .filter(([name]) => family.special?.methods.includes(name) !== true)
    .map(([, write]) => write())
  const get =
    row.batch !== undefined && row.scalar === undefined && method === "byDtxsid"
      ? [getMethod(family, row)]
      : []
  return [...own, ...get].filter((text) => text !== "")
}

const place = ({ section }: Row.Row, method: string): string =>
  section === undefined ? `(${method})` : `(${method}, docs/service.md ${section})`

/** What a call fails with, if the service has nothing. */
const missText = (row: Row.Row): string => {
  if (row.unknown !== undefined) return ""
  return row.miss === "empty" && Row.isList(row)
    ? "The list may be empty."
    : "Fails with `NotFound` if there is none."
}

const recordType = (family: Families.Family, row: Row.Row): string =>
  row.forms === undefined
    ? Families.typeOf(row.get.part?.record ?? row.record)
    : `${formsName(family, row)}[P]`

const generics = (family: Families.Family, row: Row.Row): string =>
  `<P extends keyof ${formsName(family, row)} = ${JSON.stringify(row.form)}>`

const options = "options?: { readonly projection?: P | undefined }"

const singleMethod = (family: Families.Family, row: Row.Row): string => {
  const key = row.key === undefined ? [] : Families.fieldsOf(row.key)
  const required = Object.keys(row.query ?? {}).map((name) => ({ name, type: "string" }))
  const parameters = [...key, ...required].map(({ name, type }) => `${name}: ${type}`)
  const hasForms = row.forms !== undefined
  const type = recordType(family, row)
  const isList = Row.isList(row) && (!hasForms || haveOneAnswer(row))
  const sentences = [
    `Gets the ${row.one ?? row.what}${row.key === undefined || row.scalar !== undefined ? "" : ` of ${row.key.one}`} ${place(row, "GET")}.`,
    row.scalar === "count" ? "" : row.note,
    row.scalar === "count" ? "" : missText(row)
  ]
  return `${comment([sentences.filter(Boolean).join(" "), example(family, row)], "  ")}
  readonly ${Operation.methodOf(row.name)}: ${hasForms ? generics(family, row) : ""}(${[...parameters, ...(hasForms ? [options] : [])].join(", ")}) => ${isList ? "Records" : "One"}<F, ${type}>`
}

/** The first call of a family has an example. */
const example = (family: Families.Family, row: Row.Row): string =>
  row !== family.rows[0] || row.key === undefined
    ? ""
    : `@example
\`\`\`ts
import { ChemClient } from "@chemstream/client"
import { Effect } from "effect"

const program = Effect.gen(function* () {
  const client = yield* ChemClient.ChemClient
  return yield* client.${row.name}(${[row.key.example, ...Object.keys(row.query ?? {}).map(() => "liver")].map((text) => JSON.stringify(text)).join(", ")})
})
\`\`\``

const batchMethod = (family: Families.Family, row: Row.Row): string => {
  const { batch, key } = row
  const hasForms = batch?.hasForms === true
  const [field] = key === undefined ? [] : Families.fieldsOf(key)
  const type = hasForms ? recordType(family, row) : Families.typeOf(row.record)
  const text = `Gets the ${row.what} of up to ${batch?.limit} ${key?.many} in one request ${place(row, "POST")}. Unknown ones have none, and the order may differ from the request.`
  return `${comment([text], "  ")}
  readonly ${Operation.methodOf(row.name)}Batch: ${hasForms ? generics(family, row) : ""}(${field?.name}s: ReadonlyArray<${field?.type}>${hasForms ? `, ${options}` : ""}) => Records<F, ${type}>`
}

const getMethod = (family: Families.Family, row: Row.Row): string => {
  const hasForms = row.batch?.hasForms === true
  const kinds = family.rows.some(({ name }) => Operation.methodOf(name) === "byDtxcid")
    ? "a DTXSID or DTXCID"
    : "a DTXSID"
  const type = hasForms ? recordType(family, row) : Families.typeOf(row.record)
  const text = `Gets the ${row.what} of ${kinds} in a batch with the calls of other fibers (\`Settings.batching\`): a thousand fibers make one request. ${hasForms ? "Each kind of identifier and each projection has its own requests. " : ""}Fails with \`NotFound\` if the response has no record of this identifier. If the request fails, all its callers fail.`
  return `${comment([text], "  ")}
  readonly get: ${hasForms ? generics(family, row) : ""}(${hasForms ? "id" : "dtxsid"}: string${hasForms ? `, ${options}` : ""}) => ${row.multiplicity === "many" ? "Records" : "One"}<F, ${type}>`
}

const pagedMethods = (family: Families.Family, row: Row.Row): ReadonlyArray<string> => {
  const method = Operation.methodOf(row.name)
  const hasForms = row.forms !== undefined
  const record = hasForms ? `${formsName(family, row)}[P]` : Families.typeOf(row.record)
  const key = (row.key === undefined ? [] : Families.fieldsOf(row.key)).map(
    ({ name, type }) => `${name}: ${type}`
  )
  const projection = hasForms ? ["readonly projection?: P | undefined"] : []
  const first = [...projection, "readonly page?: number | undefined"].join("; ")
  const signature = (...parameters: ReadonlyArray<string>): string =>
    `${hasForms ? generics(family, row) : ""}(${[...key, ...parameters].join(", ")})`
  const ofPage = hasForms ? [`options?: { ${projection[0]} }`] : []
  const invalid =
    "Fails with `InvalidIdentifier`, without a request, if the page is not a whole number from 1."
  const names = method === "all" ? ["page", "pages"] : [`${method}Page`, `${method}Pages`]
  const whose = row.key === undefined ? row.what : `the ${row.what} of ${row.key.one}`
  return [
    `${comment(
      [
        `Streams ${whose}, record by record, from the page \`page\` until an empty page ${place(row, "GET")}. One page is in memory at a time; the next is requested when it is consumed. ${invalid}`,
        "Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for the page (`Settings.pageParameter`) and would repeat that page forever.",
        hasForms ? pagesExample(row) : ""
      ],
      "  "
    )}
  readonly ${method}: ${signature(`options?: { ${first} }`)} => Many<F, ${record}>`,
    `${comment(
      [
        `Gets one page of ${whose}, with the number or cursor of the next one ${place(row, "GET")}. ${row.note ?? ""} Default: the first page.`,
        `Pages are large: 10,000 records. ${invalid}`
      ],
      "  "
    )}
  readonly ${names[0]}: ${signature("page?: number", ...ofPage)} => One<F, Page<${record}>>`,
    `${comment([`Streams the pages of ${whose} from the page \`page\`, as \`${method}\` streams their records.`], "  ")}
  readonly ${names[1]}: ${signature(`options?: { ${first} }`)} => Many<F, Page<${record}>>`
  ]
}

const pagesExample = (row: Row.Row): string => `@example
\`\`\`ts
import { ChemClient } from "@chemstream/client"
import { Effect, Stream } from "effect"

const records = Effect.gen(function* () {
  const client = yield* ChemClient.ChemClient
  return client.${row.name}({ projection: ${JSON.stringify(Object.keys(row.forms ?? {})[0])} })
}).pipe(Stream.unwrap)
\`\`\``
