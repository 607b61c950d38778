/**
 * Serves the health of a worker to a supervisor: `/health` while the process responds, `/ready` while the worker can work.
 */
import { Effect, type Scope } from "effect"
import { type Command, Flag } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"
import { optional, port } from "../flags/flagTypes.ts"
import * as ServerAddress from "../flags/serverAddress.ts"
import * as StatusServer from "../process/statusServer.ts"
import * as Messages from "../terminal/messages.ts"

export const flags = {
  healthPort: port("health-port").pipe(
    Flag.withDescription(
      "Port of /health (200 while the process responds) and /ready (503 while the database does not respond); 0 for a free one [default: none]"
    ),
    optional
  ),
  healthHost: ServerAddress.hostOfPort("health")
}

type Settings = Command.Command.Config.Infer<typeof flags>

const json = (status: number, state: string): StatusServer.Response => ({
  status,
  type: "application/json",
  body: `${JSON.stringify({ status: state })}\n`
})

/** Serves until the scope closes, also before the database responds. Returns the function that a started worker calls. */
export const serve = ({
  healthHost,
  healthPort
}: Settings): Effect.Effect<(isReady: Effect.Effect<boolean>) => void, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    let ready: Effect.Effect<boolean> = Effect.succeed(false)
    if (healthPort !== undefined) {
      const url = yield* StatusServer.serve(
        { host: healthHost, port: healthPort, what: "health" },
        {
          "/health": async () => json(200, "ok"),
          "/ready": async () =>
            (await Effect.runPromise(ready)) ? json(200, "ready") : json(503, "the database does not respond")
        }
      )
      Messages.say(`health at ${url}/health and ${url}/ready\n`)
    }
    return (isReady) => {
      ready = isReady
    }
  })
