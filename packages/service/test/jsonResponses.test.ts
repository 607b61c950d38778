import { Cause, Effect, Exit, Option, Stream } from "effect"
import type { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { batchResponse, type Pages, pagesResponse } from "../src/internal/records/jsonResponses.ts"
import { StoreError } from "../src/Store.ts"

const encoder = new TextEncoder()

/** Makes pages whose records are numbers. Calls `onPage` when a page is read. */
const pagesOf =
  (pages: ReadonlyArray<ReadonlyArray<number>>, onPage: (index: number) => void = () => {}): Pages =>
  ({ index }) =>
    Effect.sync(() => {
      onPage(index)
      return {
        records: (pages[index] ?? []).map((number) => encoder.encode(String(number))),
        next: index + 1 < pages.length ? { index: index + 1, after: 0 } : undefined
      }
    })

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): Effect.Effect<string, unknown> =>
  body._tag === "Stream"
    ? (Stream.mkString(Stream.decodeText(body.stream)) as Effect.Effect<string, unknown>)
    : Effect.succeed(new TextDecoder().decode((body as { readonly body: Uint8Array }).body))

const some = (pages: Pages) => Effect.map(pagesResponse(pages), Option.getOrThrow)

describe("the response with the pages of a batch", () => {
  it("is absent without records; for a batch it is an empty array", async () => {
    expect(await Effect.runPromise(pagesResponse(pagesOf([[]])))).toEqual(Option.none())
    expect(await Effect.runPromise(Effect.flatMap(batchResponse(pagesOf([[]])), textOf))).toBe("[]")
  })

  it("has a length if there is one page", async () => {
    const response = await Effect.runPromise(some(pagesOf([[1, 2]])))
    expect(response.body._tag).toBe("Uint8Array")
    expect(await Effect.runPromise(textOf(response))).toBe("[1,2]")
  })

  it.each([
    [[[1], [2]], "[1,2]"],
    [[[1, 2], [3], [4, 5, 6]], "[1,2,3,4,5,6]"],
    [[[1], [], [2], []], "[1,2]"]
  ])("is one array of all records: %j", async (pages, expected) => {
    const response = await Effect.runPromise(some(pagesOf(pages)))
    expect(response.body._tag).toBe("Stream")
    expect(await Effect.runPromise(textOf(response))).toBe(expected)
  })

  it("lets other work run between two pages, even if it is read fast", async () => {
    let isOtherDone = false
    const seen: Array<boolean> = []
    const pages = pagesOf([[1], [2], [3]], (index) => {
      // The first page is read before the stream starts.
      if (index === 1) setImmediate(() => (isOtherDone = true))
      seen.push(isOtherDone)
    })
    await Effect.runPromise(Effect.flatMap(some(pages), textOf))
    expect(seen).toEqual([false, false, true])
  })

  it("is cut off if the store fails after the first page", async () => {
    const failure = new StoreError({ database: "a", reason: "failed", message: "the disk is gone" })
    const pages: Pages = (from) => (from.index === 0 ? pagesOf([[1], [2]])(from) : Effect.fail(failure))
    const exit = await Effect.runPromiseExit(Effect.flatMap(some(pages), textOf))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(failure)
  })
})
