/**
 * The contract as it is served: that of `@chemstream/api`, set to keep the value that a check refused, so that the
 * answer can name it.
 */
import { ChemicalApi } from "@chemstream/api"
import { HttpApi } from "effect/http-api"

export const contract: typeof ChemicalApi.ChemicalApi = ChemicalApi.ChemicalApi.annotate(
  HttpApi.ParseOptions,
  {
    reportInput: true
  }
) as typeof ChemicalApi.ChemicalApi
