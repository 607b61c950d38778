/**
 * A stream dealt out to named sinks that run side by side.
 *
 * Each sink has a lane that holds one array of the stream. The stream waits for the lane that is full, so the slowest
 * sink sets the pace. A sink that has ended is dealt nothing more.
 */
import { type Cause, Effect, Exit, Queue, type Sink, Stream } from "effect"

type Items<A> = readonly [A, ...Array<A>]

/** Sinks by name. `never` as input: what each of them takes is checked where it is dealt. */
export type Sinks = Readonly<Record<string, Sink.Sink<unknown, never, unknown, unknown, unknown>>>

/** What each of the sinks comes to, by its name. */
export type Results<S> = {
  readonly [Name in keyof S]: S[Name] extends Sink.Sink<infer A, never, unknown, unknown, unknown> ? A : never
}

/** What the sinks can fail with. */
export type Failures<S> = {
  [Name in keyof S]: S[Name] extends Sink.Sink<unknown, never, unknown, infer E, unknown> ? E : never
}[keyof S]

/** What the sinks need. */
export type Needs<S> = {
  [Name in keyof S]: S[Name] extends Sink.Sink<unknown, never, unknown, unknown, infer R> ? R : never
}[keyof S]

/** The stream has failed, in a lane. */
class Broken<E> {
  readonly cause: Cause.Cause<E>
  constructor(cause: Cause.Cause<E>) {
    this.cause = cause
  }
}

type Lane<A, E> = Queue.Queue<Items<A>, Broken<E> | Cause.Done>

/** Deals out each array of the stream as `deal` says: which part of it goes to which sink. */
export const distribute = <A, E, R, const S extends Sinks>(
  stream: Stream.Stream<A, E, R>,
  sinks: S,
  deal: (items: Items<A>) => Iterable<readonly [name: string, items: ReadonlyArray<A>]>
): Effect.Effect<Results<S>, E | Failures<S>, R | Needs<S>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const lanes = new Map<string, Lane<A, E>>()
      for (const name of Object.keys(sinks)) {
        lanes.set(name, yield* Queue.bounded<Items<A>, Broken<E> | Cause.Done>(1))
      }
      const open = new Set(lanes.values())
      yield* Effect.forkScoped(feed(stream, lanes, open, deal))
      const ends = yield* Effect.forEach(
        lanes,
        ([name, lane]) => drain(name, lane, sinks[name] as Sinks[string], open),
        {
          concurrency: "unbounded"
        }
      )
      const broken = ends.find((end) => end instanceof Broken)
      if (broken !== undefined) return yield* Effect.failCause((broken as Broken<E>).cause)
      return Object.fromEntries(ends as ReadonlyArray<readonly [string, unknown]>)
    })
  ) as Effect.Effect<Results<S>, E | Failures<S>, R | Needs<S>>

/** Fills the lanes, as long as any is open, and tells each of them how the stream ended. */
const feed = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  lanes: ReadonlyMap<string, Lane<A, E>>,
  open: ReadonlySet<Lane<A, E>>,
  deal: (items: Items<A>) => Iterable<readonly [name: string, items: ReadonlyArray<A>]>
): Effect.Effect<void, never, R> =>
  stream.pipe(
    Stream.runForEachArray((items) =>
      open.size === 0
        ? Effect.interrupt
        : Effect.forEach(
            deal(items),
            ([name, part]) => {
              const lane = lanes.get(name)
              if (lane === undefined) return Effect.die(new Error(`there is no sink ${JSON.stringify(name)}`))
              return isFilled(part) ? Queue.offer(lane, part) : Effect.void
            },
            { discard: true }
          )
    ),
    Effect.exit,
    Effect.flatMap((exit) =>
      Effect.forEach(
        lanes.values(),
        (lane) => (Exit.isSuccess(exit) ? Queue.end(lane) : Queue.fail(lane, new Broken(exit.cause))),
        { discard: true }
      )
    )
  )

/**
 * Runs a sink. Where the stream breaks it is no failure of this sink: the others go on with what came before, so that
 * nothing of that is lost.
 */
const drain = <A, E>(
  name: string,
  lane: Lane<A, E>,
  sink: Sinks[string],
  open: Set<Lane<A, E>>
): Effect.Effect<readonly [string, unknown] | Broken<E>, unknown, unknown> =>
  Stream.fromQueue(lane).pipe(
    Stream.flattenArray,
    Stream.run(sink as Sink.Sink<unknown, A, unknown, unknown, unknown>),
    Effect.map((result) => [name, result] as const),
    Effect.catchIf(
      (error): error is Broken<E> => error instanceof Broken,
      (broken) => Effect.succeed(broken)
    ),
    Effect.ensuring(
      Effect.suspend(() => {
        open.delete(lane)
        return Queue.shutdown(lane)
      })
    )
  )

const isFilled = <A>(items: ReadonlyArray<A>): items is Items<A> => items.length > 0
