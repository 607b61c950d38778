/**
 * Calls any endpoint with a request and a reader of the caller (`client.raw`). The request is compared with the schemas of the contract
 * first, because the caller makes it.
 */
import { InvalidIdentifier, type Operation, Rows } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import type * as Endpoint from "../Endpoint.ts"
import { type CallOperation, valuesIn } from "./callOperation.ts"

/** Makes the call `raw` of a client. */
export const make =
  (callOperation: CallOperation): Endpoint.Raw =>
  (endpoint, request = {} as typeof request, read) =>
    Effect.suspend(() => {
      const operation = Predicate.hasProperty(endpoint, "parts")
        ? (endpoint as Operation.Operation)
        : operationOf(endpoint as string)
      Options.refuseArguments({ read: Options.required(Options.func) }, [read])
      const { name } = operation
      const violation = contractViolation(operation, request)
      return violation === undefined
        ? callOperation(operation, request, read)
        : Effect.fail(
            new InvalidIdentifier.InvalidIdentifier({
              identifier: name,
              value: violation.value,
              reason: "malformed",
              message: `the request of ${name} is malformed: ${violation.message}`
            })
          )
    })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns how a request violates the contract, with the place in it. An empty batch passes, because it is not sent. */
const contractViolation = (
  operation: Operation.Operation,
  request: Operation.Values
): { readonly value: string; readonly message: string } | undefined => {
  const { params, payload, query } = operation.parts()
  const checks: ReadonlyArray<readonly [string, Schema.Top | undefined, unknown]> = [
    ["params", params && Schema.Struct(params), request.params],
    ["query", query && Schema.Struct(query), request.query],
    ...(valuesIn(request.payload)?.length === 0 ? [] : [["payload", payload, request.payload] as const])
  ]
  for (const [name, schema, part] of checks) {
    if (schema === undefined) continue
    const decode = Schema.decodeUnknownResult(Schema.toType(schema) as Schema.ConstraintDecoder<unknown>)
    const checked = decode(part)
    if (Result.isSuccess(checked)) continue
    const issue = formatIssues(checked.failure.issue).issues[0]
    const place = [name, ...(issue?.path ?? [])].map(String).join(".")
    const message = issue?.message ?? checked.failure.message
    return { value: JSON.stringify(part) ?? "", message: `${place}: ${message}` }
  }
  return undefined
}

/** Returns a request of the contract. Throws `InvalidOption` if there is none of this name. */
const operationOf = (name: string): Operation.Operation => {
  const found = Rows.operations.find((operation) => operation.name === name)
  if (found !== undefined) return found
  throw Options.oneOf(Rows.operations.map((operation) => operation.name)).problem(name, "endpoint")
}
