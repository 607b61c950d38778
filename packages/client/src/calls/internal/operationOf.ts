/** Finds the requests of the contract by name. */
import { type Operation, Rows } from "@chemstream/api"
import { InvalidOption } from "@chemstream/batch"

/** Returns a request of the contract. Throws `InvalidOption` if there is none of this name. */
export const operationOf = (name: string): Operation.Operation => {
  const found = Rows.operations.find((operation) => operation.name === name)
  if (found !== undefined) return found
  const names = Rows.operations.map((operation) => operation.name)
  const meant = InvalidOption.nearest(String(name), names)
  throw new InvalidOption.InvalidOption({
    option: "endpoint",
    value: name,
    wanted: meant === undefined ? `the name of an endpoint, e.g. ${names[0]}` : JSON.stringify(meant)
  })
}
