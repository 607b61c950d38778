/**
 * A store that follows its file: if another file gets its name, the store opens all its connections again, within
 * `checkInterval`. A version is one opened file.
 *
 * Requests in progress finish with the old file (`storeVersions.ts`). `SqliteStore` opens one version.
 */
import { Duration, Effect, Exit, Schedule, Scope } from "effect"
import { register, Version } from "../../../internal/storeVersions.ts"
import { type Queries, Store, type StoreError } from "../../../Store.ts"
import { identityOf, logSizeOf } from "./fileIdentity.ts"

/** The interval between two checks of the file. */
export const checkInterval: Duration.Duration = Duration.seconds(2)

interface Opened {
  readonly store: Queries
  readonly identity: string | undefined
  readonly scope: Scope.Closeable
  users: number
  isRetired: boolean
}

/** Follows a file. `open` opens the file that has the name now. */
export const make = (
  file: string,
  open: Effect.Effect<Queries, StoreError, Scope.Scope>
): Effect.Effect<Queries, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const openVersion = Effect.gen(function* () {
      const scope = yield* Scope.fork(outer)
      const identity = identityOf(file)
      const store = yield* Effect.onExit(Scope.provide(open, scope), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
      )
      return { store, identity, scope, users: 0, isRetired: false } satisfies Opened
    })
    let current: Opened = yield* openVersion
    let isStale = false
    const closeUnused = (version: Opened): void => {
      if (version.isRetired && version.users === 0) Effect.runFork(Scope.close(version.scope, Exit.void))
    }
    const check = Effect.gen(function* () {
      const identity = identityOf(file)
      isStale = identity !== current.identity
      if (!isStale) return
      // The log of the old file would be applied to the new one.
      if (identity === undefined || logSizeOf(file) > 0) return
      const next = yield* openVersion
      if (next.identity !== identityOf(file)) return yield* Scope.close(next.scope, Exit.void)
      const old = current
      current = next
      isStale = false
      old.isRetired = true
      closeUnused(old)
    }).pipe(Effect.ignore)
    yield* Effect.forkScoped(Effect.repeat(check, Schedule.spaced(checkInterval)))

    const enter = () => {
      const version = current
      version.users++
      const leave = (): void => {
        version.users--
        closeUnused(version)
      }
      return { version, leave }
    }
    const use = <A, E>(query: (queries: Queries) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.flatMap(Version, (pinned) => {
        if (pinned !== undefined) return query((pinned as Opened).store)
        const { leave, version } = enter()
        return Effect.ensuring(query(version.store), Effect.sync(leave))
      })
    const names = Object.keys(current.store) as ReadonlyArray<keyof Queries>
    const store = Store.of(
      Object.fromEntries(
        names.map((name) => [
          name,
          name === "counts"
            ? use(({ counts }) => counts)
            : (...args: ReadonlyArray<unknown>) =>
                use((queries) =>
                  (queries[name] as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, StoreError>)(
                    ...args
                  )
                )
        ])
      ) as unknown as Queries
    )
    register(store, { enter, isStale: () => isStale || identityOf(file) !== current.identity })
    return store
  })
