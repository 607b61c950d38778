import { CallObserver, ResponseCache, RetryPolicy } from "@chemstream/client"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"

/** An observer whose functions are methods of a class. */
class Notes implements CallObserver.CallObserver {
  readonly lines: Array<string> = []
  private readonly name: string

  constructor(name = "") {
    this.name = name
  }

  onRequest(endpoint: string): void {
    this.lines.push(`${this.name}request ${endpoint}`)
  }

  onRetry(): void {
    this.lines.push(`${this.name}retry`)
  }

  onBody(_: string, bytes: number, status: number): void {
    this.lines.push(`${this.name}body ${bytes} ${status}`)
  }

  onCached(_: string, how: string): void {
    this.lines.push(`${this.name}cached ${how}`)
  }
}

const withObserver = (observer: CallObserver.CallObserver) =>
  Effect.provideService(CallObserver.CallObserver, observer)

const retry = RetryPolicy.make({ baseDelay: 1, maxDelay: 2 })

describe("an observer that is an instance of a class", () => {
  it("gets the requests, retries and bodies of a call", () =>
    withService([Scripted.reply(503, "later"), Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const notes = new Notes()
        const error = yield* withClient(settings(url, { retry }), (client) =>
          Effect.flip(client.bioactivity.byM4id(5))
        ).pipe(withObserver(notes))
        expect(error).toMatchObject({ _tag: "NotFound", attempts: 2 })
        expect(notes.lines).toEqual([
          "request bioactivity.byM4id",
          "body 5 503",
          "retry",
          "request bioactivity.byM4id",
          "body 2 200"
        ])
      })
    ))

  it("is told that the cache served a `get` call", () =>
    withService([Scripted.reply(200, `[{"dtxsid":"${bisphenolA}"}]`)], ({ url }) =>
      Effect.gen(function* () {
        const notes = new Notes()
        yield* withClient(settings(url, { cache: { store: ResponseCache.memory() } }), (client) =>
          Effect.andThen(client.details.get(bisphenolA), client.details.get(bisphenolA))
        ).pipe(withObserver(notes))
        expect(notes.lines).toEqual(["request details.byDtxsidBatch", "body 28 200", "cached current"])
      })
    ))
})

describe("CallObserver.wrap", () => {
  it("runs the own function, then the outer function of the same name", () => {
    const lines: Array<string> = []
    const outer = new Notes("outer ")
    const wrapped = CallObserver.wrap(outer, {
      onRequest: () => void lines.push(`own, before ${outer.lines.length} others`)
    })
    wrapped.onRequest("a")
    wrapped.onBody("a", 3, 200)
    wrapped.onCached?.("a", "shared")
    expect(lines).toEqual(["own, before 0 others"])
    expect(outer.lines).toEqual(["outer request a", "outer body 3 200", "outer cached shared"])
  })

  it("also accepts an own observer that is an instance of a class", () => {
    const [own, outer] = [new Notes("own "), new Notes("outer ")]
    const wrapped = CallObserver.wrap(outer, own)
    wrapped.onRequest("a")
    expect([...own.lines, ...outer.lines]).toEqual(["own request a", "outer request a"])
  })

  it("accepts an outer observer without onCached", () => {
    const own = new Notes()
    const outer = { onRequest: () => {}, onRetry: () => {}, onBody: () => {} }
    CallObserver.wrap(outer, own).onCached?.("a", "stale")
    expect(own.lines).toEqual(["cached stale"])
  })
})
