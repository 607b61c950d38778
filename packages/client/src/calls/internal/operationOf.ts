/** Finds the requests of the contract by name. */
import { type Operation, Rows } from "@chemstream/api"

/** Returns a request of the contract. Throws if there is none of this name. */
export const operationOf = (name: string): Operation.Operation => {
  const found = Rows.operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`the contract has no endpoint ${name}`)
  return found
}
