/** Finds the endpoints of the contract by name. */
import { ChemicalApi } from "@chemstream/api"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** The group of an endpoint, e.g. `details` of `details.byDtxsid`. */
export const groupOf = (name: string): string => name.slice(0, name.indexOf("."))

/** The name of an endpoint in its group, e.g. `byDtxsid` of `details.byDtxsid`. */
export const endpointOf = (name: string): string => name.slice(name.indexOf(".") + 1)

/** Returns an endpoint of the contract. Throws if there is none of this name. */
export const contract = (name: string): HttpApiEndpoint.Top => {
  const groups = ChemicalApi.ChemicalApi.groups as unknown as Readonly<Record<string, HttpApiGroup.Top>>
  const found = groups[groupOf(name)]?.endpoints[endpointOf(name)]
  if (found === undefined) throw new Error(`the contract has no endpoint ${name}`)
  return found as HttpApiEndpoint.Top
}
