/** The contract of `@chemstream/api`. Its errors keep the refused value, so that the response can quote it. */
import { ChemicalApi } from "@chemstream/api"
import { HttpApi } from "effect/http-api"

export const contract: typeof ChemicalApi.ChemicalApi = ChemicalApi.ChemicalApi.annotate(
  HttpApi.ParseOptions,
  {
    reportInput: true
  }
) as typeof ChemicalApi.ChemicalApi
