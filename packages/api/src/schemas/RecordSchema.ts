/**
 * The schemas of records in a dialect (`inDialect`): those of the contract, or with the fields of the public service (`ctx`), which
 * `internal/recordDifferences.ts` lists.
 *
 * Tables, the check of `--fields` and the documentation use them. Decoding does not: it accepts the records of every
 * dialect (`openStruct.ts`).
 */
import { Schema } from "effect"
import type * as Dialect from "../dialect/Dialect.ts"
import { argumentAs, named } from "../internal/checkArgument.ts"
import { lazy } from "./internal/lazyObject.ts"
import { openStruct } from "./internal/openStruct.ts"
import { differences } from "./internal/recordDifferences.ts"

export { type Difference, differences } from "./internal/recordDifferences.ts"

/** The schemas that a dialect has in place of those of the contract. */
const schemas: { readonly [N in Dialect.Name]: ReadonlyMap<Schema.Constraint, Schema.Constraint> } = {
  specification: new Map(),
  ctx: new Map(
    differences.map(({ fields, schema }) => [
      schema,
      lazy(() => openStruct(fields).annotate((Schema.resolveAnnotations(schema) ?? {}) as never))
    ])
  )
}

/**
 * Returns the schema of the same records in a dialect, or `schema` itself if the dialect has the same fields.
 *
 * @example
 * ```ts
 * import { RecordSchema, SynonymRecord } from "@chemstream/api"
 *
 * RecordSchema.inDialect(SynonymRecord.SynonymRecord, "specification") === SynonymRecord.SynonymRecord // => true
 * RecordSchema.inDialect(SynonymRecord.SynonymRecord, "ctx") === SynonymRecord.SynonymRecord // => false
 * ```
 */
export const inDialect = (schema: Schema.Constraint, dialect: Dialect.Name): Schema.Constraint =>
  named("dialect", schemas, dialect).get(schema) ?? argumentAs("schema", "a schema", schema, Schema.isSchema)
