import { Store } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import * as application from "../src/internal/http/requestPipeline.ts"
import { serve } from "../src/internal/server/nodeServer.ts"
import { knownId, queriesWith, storeOf } from "./stubService.ts"
import { key, path, run } from "./testService.ts"

it("a program that composes the service may keep the bytes of a response", () =>
  run(
    Effect.gen(function* () {
      const bodies: Array<Uint8Array> = []
      const { app, observe } = yield* application
        .make({ keys: [Redacted.make(key)] })
        .pipe(
          Effect.provideService(
            Store.Store,
            storeOf(queriesWith(JSON.stringify({ dtxsid: knownId, preferredName: "x".repeat(100_000) })))
          )
        )
      const keepingApp = Effect.tap(app, ({ body }) =>
        Effect.sync(() => {
          if (body._tag === "Uint8Array") bodies.push(body.body)
        })
      )
      const { host, port } = yield* serve({ app: keepingApp, observe }, { host: "127.0.0.1", port: 0 })
      const text = yield* Effect.promise(async () => {
        const response = await fetch(`http://${host}:${port}${path}?projection=compact`, {
          method: "POST",
          headers: { "x-api-key": key, "content-type": "application/json", "accept-encoding": "identity" },
          body: JSON.stringify([knownId])
        })
        return response.text()
      })
      expect(text.length).toBeGreaterThan(100_000)
      expect(bodies.map((bytes) => new TextDecoder().decode(bytes))).toEqual([text])
    })
  ))
