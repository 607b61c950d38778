/**
 * Sends a request in the forms that its dialect has for it (`Dialect.Form`, e.g. other paths), one after the other, until the service
 * accepts one. A form is a `Call` (`pipelineCall.ts`) that runs through all steps of the client.
 *
 * `dialect/internal/requestForm.ts` tells from a response whether a form is refused.
 */
import type { Dialect, Operation } from "@chemstream/api"
import { Effect } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import {
  type FormResponse,
  isFormRefused,
  readForm,
  readProjection
} from "../../dialect/internal/requestForm.ts"
import type { ChemError } from "../../errors/ChemError.ts"
import type { Run } from "../../pipeline/internal/pipelineCall.ts"
import { isPartial } from "./partialBody.ts"
import { parameterName } from "./requestEncoding.ts"
import type { Send } from "./sendRequest.ts"

/** A checked request of an endpoint, and how to send it. */
interface Sendable<A> {
  readonly operation: Operation.Operation
  readonly request: Operation.Values
  /** The values of a batch, without a control value. Undefined: the request is for one value. */
  readonly values: ReadonlyArray<unknown> | undefined
  readonly difference: Dialect.Difference
  readonly read: BodyReader<A>
}

/**
 * Makes a function that sends a request in the forms of the dialect. Later requests of an endpoint start with the form that was accepted.
 */
export const makeSendForms = (
  send: Send,
  run: Run,
  pageParameter: string
): (<A>(sendable: Sendable<A>) => Effect.Effect<A, ChemError>) => {
  const acceptedForms = new Map<string, number>()
  return <A>({ difference, operation, read, request, values }: Sendable<A>) => {
    const { name } = operation
    const { forms = asInContract, lines, projections = {} } = difference
    const encoding = { lines: lines ? values?.map(String) : undefined, projections }
    // A part of the key in the cache.
    const renamed = renameParameters(request, pageParameter)
    /** Sends the form at this place of the list, and `otherForms` further ones if the service refuses it. */
    const sendForm = (
      at: number,
      otherForms = forms.length - 1
    ): Effect.Effect<FormResponse<A>, ChemError> => {
      const form = forms[at] ?? {}
      const call = run({
        endpoint: name,
        batchSize: values?.length ?? 1,
        request: at === 0 ? renamed : { ...renamed, form: at },
        isPartial: (body) => isPartial(operation, values, body),
        read: readForm(form, readProjection(request.query, read)),
        send: send(operation, request, { ...encoding, form })
      })
      if (otherForms === 0) return call
      const sendNext = Effect.suspend(() => {
        const next = (at + 1) % forms.length
        acceptedForms.set(name, next)
        return sendForm(next, otherForms - 1)
      })
      return call.pipe(
        Effect.flatMap((response) => (response.isRefusal ? sendNext : Effect.succeed(response))),
        Effect.catchIf(
          (error) => isFormRefused(error, form),
          () => sendNext
        )
      )
    }
    return Effect.map(sendForm(acceptedForms.get(name) ?? 0), ({ value }) => value)
  }
}

/** The form of the contract alone. */
const asInContract: readonly [Dialect.Form] = [{}]

/** Renames the parameters of a request to the names of the service. */
const renameParameters = (request: Operation.Values, pageParameter: string): Operation.Values => {
  const { query } = request
  if (query === undefined) return request
  const entries = Object.entries(query).map(([name, value]) => [parameterName(name, pageParameter), value])
  return { ...request, query: Object.fromEntries(entries) }
}
