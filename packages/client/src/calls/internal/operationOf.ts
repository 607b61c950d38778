/** Finds the requests of the contract by name. */
import { type Operation, Rows } from "@chemstream/api"

const byName: ReadonlyMap<string, Operation.Operation> = new Map(
  Rows.operations.map((operation) => [operation.name, operation])
)

/** Returns a request of the contract. Throws if there is none of this name. */
export const operationOf = (name: string): Operation.Operation => {
  const found = byName.get(name)
  if (found === undefined) throw new Error(`the contract has no endpoint ${name}`)
  return found
}
