/**
 * Single questions of many fibers, gathered into batch calls (`RequestResolver`).
 *
 * A batch ends when its window has passed or it is full. Equal identifiers are sent once. A service that takes fewer
 * values than the contract allows has the batch halved, and the smaller size is remembered. A batch runs in the context of
 * the fiber that began it, with the observers of all its callers and, as span links, their spans; a caller that is
 * interrupted leaves its batch, and harms nobody in it.
 */
import { Array as Arr, Context, Effect, Exit, Request, RequestResolver, Result } from "effect"
import type { Complete } from "../Batching.ts"
import type { BodyReader } from "../BodyReader.ts"
import * as CallObserver from "../CallObserver.ts"
import { MalformedResponse, NotFound } from "../ChemError.ts"
import type * as Endpoint from "../Endpoint.ts"
import { type Failure, largest as largestOf } from "./ask.ts"
import { isAbout, refine, unasked } from "./readers.ts"

/** How a kind of question is asked in batches; questions with different `form`s do not share one. */
export interface Source<Id extends string, F extends string, A> {
  readonly endpoint: Endpoint.Name
  readonly ask: (
    ids: ReadonlyArray<Id>,
    form: F,
    read: BodyReader<ReadonlyArray<A>>
  ) => Effect.Effect<ReadonlyArray<A>, Failure>
  readonly read: (form: F) => BodyReader<ReadonlyArray<A>>
  /** The identifier a record answers, in canonical spelling; `undefined` when it carries none. */
  readonly keyOf: (record: A) => string | undefined
}

/** Asks for the records of an identifier: at least one, or `NotFound`. */
export type Get<Id extends string, F extends string, A> = (
  id: Id,
  form: F
) => Effect.Effect<Arr.NonEmptyReadonlyArray<A>, Failure>

/** Begins to gather the questions of a source. */
export type Gather = <Id extends string, F extends string, A>(source: Source<Id, F, A>) => Get<Id, F, A>

interface Question<Id, F, A> extends Request.Request<Arr.NonEmptyReadonlyArray<A>, Failure> {
  readonly id: Id
  readonly form: F
}

/** Everyone who waits for an identifier. */
type Waiting<Id extends string, F, A> = ReadonlyMap<Id, ReadonlyArray<Request.Entry<Question<Id, F, A>>>>

export const make =
  (settings: Complete): Gather =>
  <Id extends string, F extends string, A>(source: Source<Id, F, A>): Get<Id, F, A> => {
    const question = Request.of<Question<Id, F, A>>()
    let largest = Math.min(settings.size, largestOf(source.endpoint) ?? 1)

    const settle = (waiting: Waiting<Id, F, A>, form: F): Effect.Effect<void> =>
      CallObserver.counted((attempts) =>
        Effect.exit(askFor(source, [...waiting.keys()], form)).pipe(
          Effect.flatMap((exit) => {
            if (isTooLarge(exit) && waiting.size > 1) {
              largest = Math.min(largest, Math.ceil(waiting.size / 2))
              return settleAll(waiting, form)
            }
            return Effect.sync(() => complete(source, waiting, exit, attempts()))
          })
        )
      )

    const settleAll = (waiting: Waiting<Id, F, A>, form: F): Effect.Effect<void> =>
      Effect.forEach(Arr.chunksOf([...waiting], largest), (chunk) => settle(new Map(chunk), form), {
        discard: true
      })

    const resolver = RequestResolver.makeWith<Question<Id, F, A>>({
      batchKey: ({ request }) => request.form,
      delay: Effect.sleep(settings.window),
      collectWhile: (entries) => entries.size < largest,
      runAll: (entries) =>
        Effect.provideService(
          settleAll(
            Map.groupBy(entries, ({ request }) => request.id),
            entries[0].request.form
          ),
          CallObserver.CallObserver,
          together(entries)
        )
    }).pipe(RequestResolver.withSpan(`${source.endpoint} gathered`))

    return (id, form) => Effect.request(question({ id, form }), resolver)
  }

const askFor = <Id extends string, F extends string, A>(
  source: Source<Id, F, A>,
  ids: ReadonlyArray<Id>,
  form: F
): Effect.Effect<ReadonlyArray<A>, Failure> => {
  const asked: ReadonlySet<string> = new Set(ids)
  const read = refine(source.read(form), (records) =>
    isAbout(asked, records.map(source.keyOf)) ? Result.succeed(records) : Result.fail(unasked)
  )
  return source.ask(ids, form, read)
}

const isTooLarge = (exit: Exit.Exit<unknown, Failure>): boolean =>
  Exit.findErrorOption(exit).pipe((error) => error._tag === "Some" && error.value._tag === "BatchTooLarge")

/** Gives each caller the records of its identifier, or the reason why there are none. */
const complete = <Id extends string, F extends string, A>(
  source: Source<Id, F, A>,
  waiting: Waiting<Id, F, A>,
  exit: Exit.Exit<ReadonlyArray<A>, Failure>,
  attempts: number
): void => {
  const byKey = Exit.isSuccess(exit) ? Map.groupBy(exit.value, source.keyOf) : undefined
  const unidentified = byKey?.get(undefined)?.length ?? 0
  for (const [id, entries] of waiting) {
    const records = byKey?.get(id)
    const result: Exit.Exit<Arr.NonEmptyReadonlyArray<A>, Failure> = Exit.isFailure(exit)
      ? Exit.failCause(exit.cause)
      : records !== undefined && Arr.isReadonlyArrayNonEmpty(records)
        ? Exit.succeed(records)
        : Exit.fail(absent(source.endpoint, id, attempts, waiting.size, unidentified))
    for (const entry of entries) entry.completeUnsafe(result)
  }
}

const absent = (
  endpoint: Endpoint.Name,
  id: string,
  attempts: number,
  size: number,
  unidentified: number
): NotFound | MalformedResponse => {
  const common = { endpoint, attempts, status: 200 }
  return unidentified === 0
    ? new NotFound({
        ...common,
        suggestions: [],
        message: `not found: the service has no record of ${id} (asked for in a batch of ${size})`
      })
    : new MalformedResponse({
        ...common,
        path: "",
        message: `the service answered ${unidentified} records without an identifier, one of which may be that of ${id}`
      })
}

/** The observers of all callers as one; an observer that several of them share sees a request once. */
const together = (
  entries: ReadonlyArray<{ readonly context: Context.Context<never> }>
): CallObserver.CallObserver =>
  CallObserver.all(new Set(entries.map(({ context }) => Context.get(context, CallObserver.CallObserver))))
