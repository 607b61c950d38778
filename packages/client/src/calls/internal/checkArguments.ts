/** Checks the arguments of calls as they are at run time: a program without types may confuse them. */
import { InvalidIdentifier, type Key, type Row } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Record, Result, Schema, SchemaAST } from "effect"

/** Declares options by their schemas. */
export const optionSet = (fields: Schema.Struct.Fields): Options.Set<Record<string, unknown>> =>
  Options.set<Record<string, unknown>>()(Record.map(Options.argument("fields", schemas, fields), kindOf))

const schemaKind = /* @__PURE__ */ Options.kind<Schema.Top>("a schema of Effect", Schema.isSchema)
const schemas = /* @__PURE__ */ Options.record(schemaKind, "an object of schemas", 0)

/** Returns the kind of an option from its schema. */
const kindOf = (schema: Schema.Constraint): Options.AnyKind => {
  const types = typesOf(schema.ast).filter((type) => !SchemaAST.isUndefined(type))
  const names = types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
  const wanted = types.some(SchemaAST.isNumber) ? "a number" : "a text that is not empty"
  const kind =
    names.length === types.length
      ? Options.oneOf(names)
      : Options.kind(wanted, Schema.is(schema as Schema.Schema<unknown>))
  return { ...kind, isRequired: !isOptional(schema) }
}

const isOptional = ({ ast }: Schema.Constraint): boolean =>
  ast.context?.isOptional === true || typesOf(ast).some(SchemaAST.isUndefined)

const typesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(typesOf) : [ast]

/** Dies with `InvalidOption` for options that the compiler refuses. */
export const checkOptions = (declared: Options.AnyKind, options: unknown): Effect.Effect<void> =>
  Effect.orDie(Options.check(declared, options ?? {}))

/** Returns a field of a key as a text. Fails for a value that only a program without types gives. */
export const fieldText = (
  { example, fields, name, one }: Key.Key,
  value: unknown,
  at: number
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  const field = Object.values(fields)[at] as Schema.Schema<unknown> | undefined
  const isStray = Array.isArray(value) && (field === undefined || !Schema.is(field)([]))
  if (value !== undefined && value !== null && !isStray) return Result.succeed(shown(value))
  const what = isStray ? "a list, but this call takes one value" : String(value)
  const message = `the value is ${what}: give ${one}, e.g. ${example}`
  return Result.fail(
    new InvalidIdentifier.InvalidIdentifier({
      identifier: name,
      value: shown(value),
      reason: "malformed",
      message
    })
  )
}

/** Returns the list of a batch. */
export const listOf = <A>(
  what: string,
  values: ReadonlyArray<A>
): Result.Result<ReadonlyArray<A>, InvalidIdentifier.InvalidIdentifier> =>
  Array.isArray(values) ? Result.succeed(values) : refuse("list", values, `${what} takes an array of values`)

/** Returns the checked values of a batch. */
export const eachOf = <A, B>(
  what: string,
  values: ReadonlyArray<A>,
  check: (value: A) => Result.Result<B, InvalidIdentifier.InvalidIdentifier>
): Result.Result<ReadonlyArray<B>, InvalidIdentifier.InvalidIdentifier> =>
  Result.flatMap(listOf(what, values), (list) => Result.all(list.map((value) => check(value))))

/** Fails because a value cannot be used as `what`. */
export const refuse = (
  what: string,
  value: unknown,
  reason: string
): Result.Result<never, InvalidIdentifier.InvalidIdentifier> =>
  InvalidIdentifier.malformed(what, `a ${what}`, shown(value), reason)

/** Returns any value as a text. */
export const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shown).join(",")
  try {
    return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)
  } catch {
    return typeof value
  }
}

/** Says what an endpoint must have, for `Options.check`: the path of its request. */
export const rowKind: Options.AnyKind = /* @__PURE__ */ Options.kind(
  "a row, e.g. of Row.make",
  (value) => typeof (value as Partial<Row.Row> | null)?.get?.path === "string"
)
