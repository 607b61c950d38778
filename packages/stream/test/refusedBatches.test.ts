/**
 * A service that fails batches of names: when a run takes that for a refusal of all batches, and sends each name on its own.
 */
import { Identifiers, Ledger, Lookup, type Outcome, Search } from "@chemstream/stream"
import { Effect, Logger, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond, type ScriptedResponse } from "./lookupService.ts"

const names = ["one", "two", "three", "four"]

const problem = (status: number, detail = "no"): ScriptedResponse => ({
  status,
  body: JSON.stringify({ status, detail })
})

/** A response of a gateway. */
const page = (status: number): ScriptedResponse => ({
  status,
  body: "<html>no</html>",
  headers: { "content-type": "text/html" }
})

const hits = (words: ReadonlyArray<string>): ScriptedResponse =>
  ok(JSON.stringify(words.map((searchValue) => ({ dtxsid: "DTXSID7020182", searchValue }))))

const foundAlone = (word: string): ScriptedResponse => hits([word])

interface Service {
  readonly batch: (words: ReadonlyArray<string>) => ScriptedResponse
  readonly single: (word: string) => ScriptedResponse
}

const short = (outcome: Outcome.Outcome<unknown, { readonly _tag: string }>): string =>
  outcome._tag === "Failed" ? outcome.error._tag : outcome._tag

/** Searches for names in batches. Returns the outcomes, the requests, the warnings and the ledger. */
const search = async ({ batch, single }: Service, words = names, options: Lookup.Options = {}) => {
  const requests: Array<string> = []
  const warnings: Array<string> = []
  const ledger = Ledger.make()
  const respond: Respond = ({ body, method, url }) => {
    const word = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1))
    requests.push(method === "POST" ? `POST ${(body as ReadonlyArray<string>).join()}` : `GET ${word}`)
    return method === "POST" ? batch(body as ReadonlyArray<string>) : single(word)
  }
  const logger = Logger.make<unknown, void>(({ message }) => void warnings.push(String(message)))
  const outcomes = await Effect.gen(function* () {
    const client = yield* clientOf(respond)
    return yield* Identifiers.fromIterable(words).pipe(
      Lookup.outcomes(Search.equalBatch(), { concurrency: 1, ...options, ledger }),
      Stream.runCollect,
      Effect.provide(client),
      Effect.provide(Logger.layer([logger]))
    )
  }).pipe(Effect.scoped, Effect.runPromise)
  return { outcomes: outcomes.map(short), requests, warnings, ledger }
}

const refusals: Readonly<Record<string, ScriptedResponse>> = {
  "405": problem(405),
  "413": problem(413),
  "404 of a gateway": page(404)
}

/** Failures that may be about the names. */
const doubtful: Readonly<Record<string, ScriptedResponse>> = {
  "400": problem(400),
  "404": problem(404),
  "500": problem(500),
  "501": problem(501)
}

const unknowns: Readonly<Record<string, ScriptedResponse>> = {
  "400 with no result": problem(400, "Searched by x: Found 0 results for x."),
  "404": problem(404)
}

const pairs = <A, B>(
  ones: Readonly<Record<string, A>>,
  others: Readonly<Record<string, B>>
): ReadonlyArray<readonly [string, string, A, B]> =>
  Object.entries(ones).flatMap(([name, one]) =>
    Object.entries(others).map(([otherName, other]) => [name, otherName, one, other] as const)
  )

const warned = [
  expect.stringContaining("the service refuses batches of names, so each name is a request of its own")
]

describe("a run whose batches of names all fail", () => {
  it.each(Object.entries({ ...refusals, ...doubtful }))(
    "with %s sends each name on its own if one is found so, and that one once",
    async (_, refusal) => {
      const run = await search({ batch: () => refusal, single: foundAlone })
      expect(run.requests).toEqual([
        ...["POST one,two,three,four", "POST one"],
        ...["GET one", "GET two", "GET three", "GET four"]
      ])
      expect(run.outcomes).toEqual(["Found", "Found", "Found", "Found"])
      expect(run.warnings).toEqual(warned)
      expect(run.ledger).toMatchObject({ requests: 6, singleWords: 4, found: 4 })
    }
  )

  it.each(pairs(refusals, unknowns))(
    "with %s sends each name on its own, although the first is unknown (%s)",
    async (_, __, refusal, unknown) => {
      const run = await search({ batch: () => refusal, single: () => unknown })
      expect(run.requests).toEqual([
        ...["POST one,two,three,four", "POST one", "GET one"],
        ...["GET one", "GET two", "GET three", "GET four"]
      ])
      expect(run.outcomes).toEqual(["Missing", "Missing", "Missing", "Missing"])
      expect(run.warnings).toEqual(warned)
    }
  )

  it.each(pairs(doubtful, unknowns))(
    "with %s is not taken for refused if the first name is unknown (%s)",
    async (status, _, failure, unknown) => {
      const run = await search({ batch: () => failure, single: () => unknown })
      const outcome = status === "404" ? "Missing" : status === "400" ? "InvalidRequest" : "ServiceFailure"
      expect(run.outcomes).toEqual([outcome, outcome, outcome, outcome])
      expect(run.warnings).toEqual([])
    }
  )

  it.each(pairs({ "405": problem(405), "413": problem(413) }, { "404": page(404), "500": problem(500) }))(
    "with %s is not taken for refused if a name alone fails, too (%s)",
    async (status, _, failure, alone) => {
      const run = await search({ batch: () => failure, single: () => alone })
      const outcome = status === "413" ? "BatchTooLarge" : "InvalidRequest"
      expect(run.outcomes).toEqual([outcome, outcome, outcome, outcome])
      expect(run.warnings).toEqual([])
    }
  )

  it.each([
    ["a page", page(404)],
    ["a text", { status: 404, body: "no such route", headers: { "content-type": "text/plain" } }],
    ["nothing", { status: 404, body: "" }]
  ])(
    "stops as with a wrong address after the first name, if the gateway knows no name either: %s",
    async (_, unknown) => {
      const asked: Array<string> = []
      const batch = (words: ReadonlyArray<string>): ScriptedResponse => {
        asked.push(`POST ${words.join()}`)
        return page(404)
      }
      const single = (word: string): ScriptedResponse => {
        asked.push(`GET ${word}`)
        return unknown
      }
      await expect(search({ batch, single })).rejects.toMatchObject({ _tag: "InvalidRequest", status: 404 })
      expect(asked).toEqual(["POST one,two,three,four", "POST one", "GET one", "POST one"])
    }
  )

  it.each([
    [1, ["one"]],
    [2, ["one,two", "one"]]
  ])("finds out once, and sends no later batch of %i", async (batchSize, compared) => {
    const words = [...names, "five", "six", "seven", "eight"]
    const run = await search({ batch: () => problem(405), single: foundAlone }, words, { batchSize })
    const sent = run.requests.filter((one) => one.startsWith("POST"))
    expect(sent.slice(0, compared.length)).toEqual(compared.map((ids) => `POST ${ids}`))
    // The second batch may be in flight while the first is compared.
    expect(sent.length).toBeLessThanOrEqual(compared.length + 1)
    expect(run.requests.filter((one) => one.startsWith("GET")).toSorted()).toEqual(
      words.map((word) => `GET ${word}`).toSorted()
    )
    expect(run.outcomes).toEqual(words.map(() => "Found"))
    expect(run.warnings).toEqual(warned)
  })

  it("waits for a service that becomes unavailable then, and asks it again for the name that showed the refusal", async () => {
    let asked = 0
    const single = (word: string): ScriptedResponse => {
      if (word === "one") asked++
      return word === "one"
        ? asked === 2 || asked === 3
          ? page(503)
          : hits([word])
        : asked < 4
          ? page(503)
          : hits([word])
    }
    const availability = { wait: "1 minute", firstProbe: 1, longestProbe: 1 } as const
    const run = await search({ batch: () => problem(405), single }, names, { availability })
    expect(run.outcomes).toEqual(["Found", "Found", "Found", "Found"])
    expect(asked).toBe(4)
    expect(run.ledger).toMatchObject({ found: 4, failed: 0 })
  })

  it.each([
    [["a/b", "C:1", "plain", "other"], "plain"],
    [["a/b", "2,4-D, pure.", "x"], "2,4-D, pure."],
    [["a/b", "c;d"], "a/b"]
  ])("finds out with the first name that no gateway refuses: of %j with %j", async (words, first) => {
    const run = await search({ batch: () => problem(405), single: foundAlone }, words)
    expect(run.requests.slice(0, 3)).toEqual([`POST ${words.join()}`, `POST ${first}`, `GET ${first}`])
    expect(run.requests.filter((one) => one === `GET ${first}`)).toHaveLength(1)
    expect(run.outcomes).toEqual(words.map(() => "Found"))
  })
})

describe("a run of which only some batches of names fail", () => {
  const unless = (isBad: (words: ReadonlyArray<string>) => boolean, failure: ScriptedResponse): Service => ({
    batch: (words) => (isBad(words) ? failure : hits(words)),
    single: foundAlone
  })
  const many = Array.from({ length: 16 }, (_, at) => `name ${at}`)

  it.each(Object.entries({ "400": problem(400), "405": problem(405), "500": problem(500) }))(
    "with %s keeps its batches, and fails the name that fails them",
    async (status, failure) => {
      const run = await search(
        unless((words) => words.includes("name 9"), failure),
        [...many, ...names],
        { batchSize: 16 }
      )
      expect(run.requests.slice(0, 2)).toEqual([`POST ${many.join()}`, "POST name 0"])
      expect(run.requests.filter((one) => one.startsWith("GET"))).toEqual([])
      expect(run.requests).toContain(`POST ${names.join()}`)
      const error = status === "500" ? "ServiceFailure" : "InvalidRequest"
      expect(run.outcomes).toEqual([...many, ...names].map((name) => (name === "name 9" ? error : "Found")))
      expect(run.warnings).toEqual([])
      expect(run.ledger.batchSize).toBe(16)
    }
  )

  it("compares nothing after a batch that succeeded", async () => {
    const run = await search(
      unless((words) => words.length > 1 && words.includes("three"), problem(405)),
      names,
      { batchSize: 2 }
    )
    expect(run.requests).toEqual(["POST one,two", "POST three,four", "POST three", "POST four"])
    expect(run.warnings).toEqual([])
  })

  it("sends smaller batches after 413 for a large one", async () => {
    const run = await search(
      unless((words) => words.length > 4, problem(413)),
      many
    )
    expect(run.outcomes).toEqual(many.map(() => "Found"))
    expect(run.ledger.batchSize).toBe(4)
    expect(run.warnings).toEqual([])
  })
})
