// Writes docs/options.md: a table of each declared set of options. Values and defaults come from the declaration, texts from the
// docstrings of its interface, which must name the same default.

import { join } from "node:path"
import { Batch, type Options } from "@chemstream/batch"
import { ResponseCache } from "@chemstream/client"
import { DiskCache, NodePromiseClient } from "@chemstream/client/node"
import { Crawl, Lookup, Progress, Resolve, Suspects } from "@chemstream/stream"
import { Checkpoint } from "@chemstream/stream/node"
import { Harvest, Worker } from "@chemstream/workflow"
import { Duration } from "effect"
import ts from "typescript"
import { code, table } from "./markdown.ts"

/** A set of options on the page. */
interface Documented {
  readonly title: string
  readonly from: string
  /** The interface, with the module that exports it. */
  readonly type: string
  readonly declared: Options.AnyKind
}

const node = "@chemstream/client/node"
const stream = "@chemstream/stream"
const workflow = "@chemstream/workflow"

const sets: ReadonlyArray<Documented> = [
  {
    title: "`createClient` of `@chemstream/client/node`",
    from: node,
    type: "NodePromiseClient.Settings",
    declared: NodePromiseClient.optionSet
  },
  {
    title: "`ResponseCache.memory`",
    from: "@chemstream/client",
    type: "ResponseCache.MemoryOptions",
    declared: ResponseCache.memorySet
  },
  { title: "`DiskCache.make`", from: node, type: "DiskCache.Settings", declared: DiskCache.optionSet },
  {
    title: "`Lookup.outcomes`, and other runs",
    from: stream,
    type: "Lookup.Options",
    declared: Lookup.optionSet
  },
  {
    title: "`Crawl.outcomes`",
    from: stream,
    type: "Crawl.Settings<unknown, unknown, unknown>",
    declared: Crawl.optionSet
  },
  { title: "`Resolve.outcomes`", from: stream, type: "Resolve.Options", declared: Resolve.optionSet },
  { title: "`Suspects.outcomes`", from: stream, type: "Suspects.Options", declared: Suspects.optionSet },
  { title: "`Progress.snapshots`", from: stream, type: "Progress.Options", declared: Progress.optionSet },
  {
    title: "`Checkpoint.run`",
    from: `${stream}/node`,
    type: "Checkpoint.RunOptions",
    declared: Checkpoint.optionSet
  },
  { title: "`Harvest.start`", from: workflow, type: "Harvest.Settings", declared: Harvest.optionSet },
  { title: "`Worker.run`", from: workflow, type: "Worker.Options", declared: Worker.optionSet },
  {
    title: "`Batch.outcomes`",
    from: "@chemstream/batch",
    type: "Batch.Settings<unknown, unknown>",
    declared: Batch.settingsSet
  }
]

/** Returns the page. Throws if a docstring is missing or names another default than the declaration. */
export const make = (): string => {
  const { checker, types } = typesOf(sets)
  const parts = sets.map(({ declared, title }, at) => {
    const rows = rowsOf(checker, types[at] as ts.Type, declared, "")
    return `## ${title}\n\n${table(["option", "values", "default", "meaning"], rows)}`
  })
  return `${head}\n${parts.join("\n\n")}\n`
}

const head = `# Options

An option that is unknown, or that has another value than these, fails with \`InvalidOption\` before the first request. The docstrings have
examples. \`npm run generate\` writes this page from the declarations of the options.
`

/** Returns the types of the sets from the built packages. */
const typesOf = (
  documented: ReadonlyArray<Documented>
): { readonly checker: ts.TypeChecker; readonly types: ReadonlyArray<ts.Type> } => {
  const file = join(import.meta.dirname, "optionTypes.ts")
  const text = documented
    .map(({ from, type }, at) => {
      const [module = ""] = type.split(".")
      return `import type { ${module} as M${at} } from "${from}"\nexport type T${at} = M${at}${type.slice(module.length)}`
    })
    .join("\n")
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : read(name, version)
  host.fileExists = (name) => name === file || ts.sys.fileExists(name)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const aliases = [...(source?.statements ?? [])].filter(ts.isTypeAliasDeclaration)
  return { checker, types: aliases.map(({ type }) => checker.getTypeFromTypeNode(type)) }
}

const rowsOf = (
  checker: ts.TypeChecker,
  type: ts.Type,
  declared: Options.AnyKind,
  parent: string
): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(declared.fields ?? {}).flatMap(([name, kind]) => {
    const path = `${parent}${name}`
    const property = propertyOf(checker, type, name)
    if (property === undefined) throw new Error(`The option ${path} is not in ${checker.typeToString(type)}`)
    const text = ts
      .displayPartsToString(property.getDocumentationComment(checker))
      .replaceAll(/\s+/g, " ")
      .trim()
    const [, meaning = "", documented] = /^(.*?)(?: ?Default: (.*))?$/.exec(text) ?? []
    checkDefault(path, kind, documented)
    const [fallback = kind.isRequired === true ? "required" : "", ...more] =
      documented?.split(/\. (?=[A-Z])/) ?? []
    const whole = [meaning, more.join(". ")].filter((one) => one !== "").join(" ")
    const values =
      kind.fields === undefined ? kind.wanted : kind.wanted.replace(/an object with .*/, "an object")
    return [
      [code(path), values, fallback.replace(/\.$/, ""), whole],
      ...rowsOf(checker, checker.getTypeOfSymbol(property), kind, `${path}.`)
    ]
  })

/** Returns a property of a type, or of a type of a union that has it. */
const propertyOf = (checker: ts.TypeChecker, type: ts.Type, name: string): ts.Symbol | undefined =>
  (type.isUnion() ? type.types : [type])
    .map((one) => checker.getPropertyOfType(one, name))
    .find((property) => property !== undefined)

/** Throws if the docstring names another default than the declaration. Objects and lists have words in the docstring. */
const checkDefault = (path: string, kind: Options.AnyKind, documented: string | undefined): void => {
  const value: unknown = kind.default
  if (value === undefined || typeof value === "object" || kind.isRequired === true) return
  const expected = [String(value), `\`${value}\``, durationOf(kind, value), bytesOf(value)]
  if (!expected.some((one) => one !== undefined && documented?.startsWith(one)))
    throw new Error(`The docstring of ${path} says "Default: ${documented}", its declaration ${value}`)
}

const durationOf = (kind: Options.AnyKind, value: unknown): string | undefined => {
  if (!kind.wanted.startsWith("a time")) return undefined
  const milliseconds = Duration.toMillis(Duration.fromInputUnsafe(value as Duration.Input))
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} second` : `${milliseconds} milliseconds`
}

const bytesOf = (value: unknown): string | undefined => {
  const mebibytes = Number(value) / 1024 ** 2
  return mebibytes >= 1024 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`
}
