/** The result of an assay, which the public service adds to each record of the projection `ccdassaydetails`. */
import { number, textOrNumber } from "../../schemas/internal/fieldTypes.ts"
import { openStruct } from "../../schemas/internal/openStruct.ts"

/** The schema of the result. Only the interface of the record has its fields: tables have them once a record has them. */
export const assayResult = openStruct(() => ({
  top: number("Top of the winning model, in response units"),
  scaledTop: number("Top of the winning model as a multiple of the cutoff"),
  ac50: number("Concentration at half of the top (AC50)", "µM"),
  logAc50: number("Decimal logarithm of the AC50 in µM"),
  hitc: textOrNumber("Continuous hit call, active from 0.9, as number or text")
}))
