/** The contract of `@chemstream/api`, set to keep a refused value so that the response can name it. */
import { ChemicalApi } from "@chemstream/api"
import { HttpApi } from "effect/http-api"

export const contract: typeof ChemicalApi.ChemicalApi = ChemicalApi.ChemicalApi.annotate(
  HttpApi.ParseOptions,
  {
    reportInput: true
  }
) as typeof ChemicalApi.ChemicalApi
