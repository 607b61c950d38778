/**
 * The schemas of records in a dialect (`inDialect`), and how those of the public service (`ctx`) differ from the contract.
 *
 * Tables, the check of `--fields` and the documentation use them. Decoding does not: it accepts the records of every
 * dialect (`openStruct.ts`). Only the fields that the public service alone has are described here; the descriptions of all others are
 * those of the contract.
 */
import { Schema } from "effect"
import * as Dialect from "../dialect/Dialect.ts"
import { argumentAs, named } from "../internal/checkArgument.ts"
import * as BioactivityData from "../records/BioactivityData.ts"
import * as DetailProjection from "../records/DetailProjection.ts"
import * as DetailRecord from "../records/DetailRecord.ts"
import * as SynonymRecord from "../records/SynonymRecord.ts"
import { integer, number, numbers, texts } from "./internal/fieldTypes.ts"
import { lazy } from "./internal/lazyObject.ts"
import { openStruct } from "./internal/openStruct.ts"

/** A record of the contract and its fields in the public service. */
export interface Difference {
  /** The name of the record, e.g. `synonym record`. */
  readonly record: string
  /** The schema of the contract. */
  readonly schema: Schema.Constraint
  /** The fields of the public service, in its order. */
  readonly fields: Schema.Struct.Fields
}

const contractNames = new Map(
  Object.entries(Dialect.detailFieldNames).map(([name, renamed]): [string, string] => [renamed, name])
)
const describedBy = (field: string): Schema.Top =>
  (DetailProjection.everyField as Readonly<Record<string, Schema.Top>>)[
    contractNames.get(field) ?? field
  ] as Schema.Top

type CtxProjection = keyof typeof Dialect.ctxDetailFields

const details = (Object.keys(Dialect.ctxDetailFields) as ReadonlyArray<CtxProjection>).map(
  (projection): Difference => ({
    record: `detail record (${projection})`,
    schema: DetailRecord.schemas[projection],
    fields: lazy(() =>
      Object.fromEntries(Dialect.ctxDetailFields[projection].map((field) => [field, describedBy(field)]))
    )
  })
)

/** The records whose fields differ between the contract and the public service. */
export const differences: ReadonlyArray<Difference> = [
  ...details,
  {
    record: "synonym record",
    schema: SynonymRecord.SynonymRecord,
    fields: lazy(() => {
      const { alternateCasrn, beilstein, deletedCasrn, other, pcCode, ...inBoth } = SynonymRecord.fields
      return {
        ...inBoth,
        other: texts("CAS registry numbers that are no longer in use; before 2026 other synonyms"),
        beilstein: texts("Other synonyms; before 2026 Beilstein registry numbers"),
        deleted: texts("Beilstein registry numbers"),
        alternate: texts("Further CAS registry numbers"),
        pcCode
      }
    })
  },
  {
    record: "data record",
    schema: BioactivityData.BioactivityData,
    fields: lazy(() => {
      const { logcMax, logcMin, mc3Param, nmedGtbl, tmpi, ...inBoth } = BioactivityData.fields
      return {
        ...inBoth,
        maxMeanConc: number("Concentration of maxMean", "µM"),
        maxMedConc: number("Concentration of maxMed", "µM"),
        concMax: number("Largest concentration tested", "µM"),
        concMin: number("Smallest concentration tested", "µM"),
        nmedGtblPos: integer("Number of concentrations whose median response is above three times bmad"),
        nmedGtblNeg: integer(
          "Number of concentrations whose median response is below three times bmad, negated"
        ),
        mc3Param: Schema.optionalKey(
          Schema.NullOr(
            openStruct({
              conc: numbers("Concentrations of the points", "µM"),
              resp: numbers("Responses of the points")
            }).annotate({ description: "The points: parallel arrays" })
          )
        )
      }
    })
  },
  {
    record: "plot point",
    schema: BioactivityData.PlotPoint,
    fields: lazy(() => ({
      aeid: BioactivityData.plotFields.aeid,
      hitc: BioactivityData.plotFields.hitc,
      ac50: BioactivityData.plotFields.ac50,
      topOverCutoff: number("Top of the winning model as a multiple of the cutoff")
    }))
  }
]

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
