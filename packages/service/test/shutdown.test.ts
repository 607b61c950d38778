import { Agent, request } from "node:http"
import { Service } from "@chemstream/service"
import { Cause, Deferred, Effect, Exit, Fiber, Logger, Option, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { stubService } from "./stubService.ts"
import { key, path, run, send, serviceOf, type TextResponse } from "./testService.ts"

const id = "DTXSID7020182"
const record = `{"dtxsid":"${id}"}`

// Sends a GET on a connection that stays open afterwards.
const keptAlive = (agent: Agent, port: number, target: string) =>
  Effect.callback<Pick<TextResponse, "status" | "text">, Error>((resume) => {
    request({ agent, port, host: "127.0.0.1", path: target, headers: { "x-api-key": key } }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (data) => {
        text += data
      })
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, text })))
    })
      .on("error", (error) => resume(Effect.fail(error)))
      .end()
  })

const agent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true })),
  (one) => Effect.sync(() => one.destroy())
)

/** So long that a stop that waited for a timeout would exceed the time of a test. */
const patient = { idleTimeout: "1 hour", stopTimeout: "1 hour" } as const

describe("a service that is stopped", () => {
  it("does not wait for a client that keeps an idle connection open", () =>
    run(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const client = yield* agent
        const service = yield* Scope.provide(serviceOf([record], patient), scope)
        expect((yield* keptAlive(client, service.port, `${path}${id}`)).status).toBe(200)
        yield* Scope.close(scope, Exit.void)
        expect(Exit.isFailure(yield* Effect.exit(keptAlive(client, service.port, "/health")))).toBe(true)
      })
    ))

  it("finishes its response, accepts no new connection, and then does not wait for the old connection", () =>
    run(
      Effect.gen(function* () {
        const started = yield* Deferred.make<void>()
        const finish = yield* Deferred.make<void>()
        const stored = { record: new TextEncoder().encode(record), others: null }
        const slow = {
          detail: () =>
            Effect.gen(function* () {
              yield* Deferred.succeed(started, undefined)
              yield* Deferred.await(finish)
              return Option.some(stored)
            })
        }
        const scope = yield* Scope.make()
        const client = yield* agent
        const { port } = yield* Scope.provide(stubService(slow, patient), scope)
        const response = yield* Effect.forkScoped(keptAlive(client, port, `${path}${id}`))
        yield* Deferred.await(started)
        const stopped = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
        const refused = yield* Effect.exit(send({ url: `http://127.0.0.1:${port}` }, "/health"))
        expect(Exit.isFailure(refused)).toBe(true)
        yield* Deferred.succeed(finish, undefined)
        expect(yield* Fiber.join(response)).toEqual({ status: 200, text: record })
        yield* Fiber.join(stopped)
      })
    ))

  it("releases its port", () =>
    run(
      Effect.gen(function* () {
        const { port } = yield* Effect.scoped(serviceOf([record]))
        const again = yield* serviceOf([record], { port })
        expect(again.port).toBe(port)
      })
    ))
})

describe("a service that cannot listen", () => {
  it("fails with the port and what to do", () =>
    run(
      Effect.gen(function* () {
        const { port } = yield* serviceOf([record])
        const error = yield* Effect.flip(serviceOf([record], { port }))
        expect(error).toMatchObject({ _tag: "ListenError", port, host: "127.0.0.1" })
        expect(error.message).toContain("is in use")
      })
    ))

  it("fails with the file if there is no database", () =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(Service.make({ database: "/nowhere/none.sqlite", keys: [] }))
        expect(error).toMatchObject({ _tag: "StoreError", reason: "absent" })
      })
    ))
})

describe("a defect", () => {
  it("gets 500 without its cause, and is logged", () =>
    run(
      Effect.gen(function* () {
        const broken = { detail: () => Effect.die(new Error("s3cret path")) }
        const logged: Array<unknown> = []
        const logger = Logger.layer([Logger.make(({ cause }) => logged.push(Cause.pretty(cause)))])
        const service = yield* Effect.provide(stubService(broken), logger)
        const response = yield* send(service, `${path}${id}`)
        expect(response.status).toBe(500)
        expect(response.headers.get("content-type")).toBe("application/problem+json")
        expect(response.text).not.toContain("s3cret")
        expect(String(logged)).toContain("s3cret path")
      })
    ))
})
