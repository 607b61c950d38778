/**
 * Checks the messages on standard input before the protocol reads them, and answers those that it cannot read.
 *
 * Effect's protocol forgets every call in flight at a line that is not JSON, and stops at a second request with the id of one in flight.
 */
import { Ndjson } from "@chemstream/ndjson"
import { Array as Arr, Effect, Layer, Predicate, Result, Sink, Stdio, Stream, Struct } from "effect"
import { maxMessageBytes } from "./limits.ts"

/** The members of messages. The protocol of Effect acts on others, which JSON-RPC does not have. */
const members = ["jsonrpc", "id", "method", "params", "result", "error"]

type Message = Readonly<Record<string, unknown>>

/** Standard input and output with complete messages of valid, distinct ids only. */
export const layer: Layer.Layer<Stdio.Stdio, never, Stdio.Stdio> = Layer.effect(
  Stdio.Stdio,
  Effect.map(Stdio.Stdio, (stdio) => {
    const requests = new Requests()
    return Stdio.make({
      ...stdio,
      stdin: stdio.stdin.pipe(
        Ndjson.decodeResults({ maxLineBytes: maxMessageBytes }),
        Stream.mapEffect((line) => {
          const { passed, refusals } = requests.check(line)
          const answered = Stream.run(Stream.fromIterable(refusals.map(lineOf)), stdio.stdout())
          return Effect.as(answered, passed)
        }),
        Stream.filter((message) => message !== undefined),
        Stream.map(lineOf),
        Stream.encodeText
      ),
      stdout: (options) =>
        Sink.mapInput(stdio.stdout(options), (answer: string | Uint8Array) => {
          requests.settle(JSON.parse(answer.toString()))
          return answer
        })
    })
  })
)

const lineOf = (message: unknown): string => `${JSON.stringify(message)}\n`

/** The requests in flight, by their ids. The id of a cancelled request stays in use, because no answer says that it has ended. */
class Requests {
  readonly #single = new Set<unknown>()
  readonly #ofBatches = new Set<unknown>()

  /** Returns the message to pass on, if any, and the answers to what cannot be passed on. */
  check(line: Result.Result<unknown, Ndjson.NdjsonError>): { passed?: unknown; refusals: Array<Message> } {
    if (Result.isFailure(line)) return { refusals: [refusal(-32700, null, line.failure.problem)] }
    if (!Array.isArray(line.success)) {
      const message = this.#read(line.success, this.#single)
      return Result.isFailure(message)
        ? { refusals: [message.failure] }
        : { passed: message.success, refusals: [] }
    }
    const [passed, refusals] = Arr.partition(line.success, (message) => this.#read(message, this.#ofBatches))
    return refusals.length > 0 && passed.length === 0 ? { refusals } : { passed, refusals }
  }

  /** Frees the ids of an answer. An answer without an id rejects a batch. */
  settle(answer: unknown): void {
    for (const { id, method } of Arr.ensure(answer) as ReadonlyArray<Message>) {
      if (method !== undefined) continue
      this.#single.delete(id)
      if (id === null) this.#ofBatches.clear()
      else this.#ofBatches.delete(id)
    }
  }

  /** Returns the members of a message that JSON-RPC has, or why it is refused. */
  #read(given: unknown, ids: Set<unknown>): Result.Result<Message, Message> {
    if (!Predicate.isObject(given)) return refuse(null, "A message must be an object.")
    const message = Struct.pick(
      given as Message,
      members.filter((name) => Object.hasOwn(given, name))
    )
    const { error, id, method, result } = message
    if (method === undefined)
      return (result ?? error) === undefined
        ? refuse(null, "A message needs a method, a result or an error.")
        : Result.succeed(message)
    if (id === undefined) return Result.succeed(message)
    if (typeof id !== "string" && typeof id !== "number")
      return refuse(null, "The id of a request must be a string or a number.")
    if (this.#single.has(id) || this.#ofBatches.has(id))
      return refuse(id, `The id ${JSON.stringify(id)} is in use. Send every request with an id of its own.`)
    ids.add(id)
    return Result.succeed(message)
  }
}

const refuse = (id: unknown, message: string) => Result.fail(refusal(-32600, id, message))

const refusal = (code: number, id: unknown, message: string): Message => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})
