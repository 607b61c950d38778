/**
 * The records whose fields differ between the contract and the public service (`ctx`), and the fields that they have there.
 *
 * Described here are the fields that the public service alone has, and those with another meaning or unit there (`other`, `beilstein`,
 * `maxMeanConc`). All others have the description of the contract, from `records`.
 */
import { Schema } from "effect"
import * as Dialect from "../../dialect/Dialect.ts"
import * as BioactivityData from "../../records/BioactivityData.ts"
import * as DetailProjection from "../../records/DetailProjection.ts"
import * as DetailRecord from "../../records/DetailRecord.ts"
import * as SynonymRecord from "../../records/SynonymRecord.ts"
import { integer, number, numbers, texts } from "./fieldTypes.ts"
import { lazy } from "./lazyObject.ts"
import { openStruct } from "./openStruct.ts"

/** A record of the contract and its fields in the public service. */
export interface Difference {
  /** The name of the record, e.g. `synonym record`. */
  readonly record: string
  /** The schema of the contract. */
  readonly schema: Schema.Constraint
  /** The fields of the public service, in its order. */
  readonly fields: Schema.Struct.Fields
}

/** The contract's names of fields of the detail record, by those of the public service. */
const contractNames = new Map(
  Object.entries(Dialect.detailFieldNames).map(([name, renamed]): [string, string] => [renamed, name])
)
/** Returns the type and description of a field of the detail record, which the contract has. */
const describedBy = (field: string): Schema.Top =>
  (DetailProjection.everyField as Readonly<Record<string, Schema.Top>>)[
    contractNames.get(field) ?? field
  ] as Schema.Top

type CtxProjection = keyof typeof Dialect.ctxDetailFields

/** The detail record in each projection of the public service. */
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
