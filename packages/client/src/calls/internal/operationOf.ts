/** Finds the requests of the contract by name. */
import { type Operation, Rows } from "@chemstream/api"
import { Options } from "@chemstream/batch"

/** Returns a request of the contract. Throws `InvalidOption` if there is none of this name. */
export const operationOf = (name: string): Operation.Operation => {
  const found = Rows.operations.find((operation) => operation.name === name)
  if (found !== undefined) return found
  throw Options.oneOf(Rows.operations.map((operation) => operation.name)).problem(name, "endpoint")
}
