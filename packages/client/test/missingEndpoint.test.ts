/** An endpoint that a service does not have: what a 404 or 405 to it means. */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"

type Client = Parameters<Parameters<typeof withClient>[1]>[0]

const none = Scripted.problem(404, "none")
const forbidden = Scripted.problem(405, "no such method")

/** Makes a call twice. Returns the result of the second one. */
const second = (
  responders: ReadonlyArray<Scripted.Responder>,
  call: (client: Client) => Effect.Effect<unknown, object>
) =>
  withService(responders, ({ url }) =>
    withClient(settings(url, { dialect: "ctx" }), (client) =>
      Effect.andThen(Effect.result(call(client)), Effect.result(call(client)))
    )
  )

describe("a 404 of the service", () => {
  const toxval = (client: Client) => client.hazard.toxval(bisphenolA)
  const gene = (word: string) => (client: Client) => client.assays.byGene(word)

  it.each([
    ["404", none],
    ["405", forbidden]
  ])(
    "to an endpoint that responds to unknown values with nothing says that it is missing: %s",
    async (status, responder) => {
      const result = await second([responder], toxval)
      expect(result).toMatchObject({
        failure: {
          _tag: "InvalidRequest",
          status: Number(status),
          isEndpointMissing: true,
          message: expect.stringMatching(
            /^the service has no endpoint hazard\.toxval \(40[45]: \/hazard\/.*Use a service that has hazard, or/
          )
        }
      })
    }
  )

  it("is about its path alone if the endpoint has responded before, or the path has a character that gateways refuse", async () => {
    const before = await second([Scripted.reply(200, "[]"), none], toxval)
    expect(before).toMatchObject({ failure: { _tag: "InvalidRequest", status: 404 } })
    expect(before).not.toHaveProperty("failure.isEndpointMissing")
    const slash = await second([none], gene("a/b"))
    expect(slash).toMatchObject({ failure: { _tag: "InvalidRequest", status: 404 } })
    expect(slash).not.toHaveProperty("failure.isEndpointMissing")
    expect(await second([none], gene("ab"))).toMatchObject({ failure: { isEndpointMissing: true } })
  })

  const words = (list: string, word: string) => (client: Client) => client.lists.membersEqual(list, word)
  it.each<[string, (client: Client) => Effect.Effect<unknown, object>, boolean]>([
    ["no value", (client) => client.lists.all(), true],
    ["plain values", words("CCL4", "BPA"), true],
    ["a slash in its first value", words("a/b", "BPA"), false],
    ["a slash in its last value", words("CCL4", "a/b"), false],
    ...[..."/\\%?#;"].map((char): [string, (client: Client) => Effect.Effect<unknown, object>, boolean] => [
      `the character ${char}`,
      gene(`a${char}b`),
      false
    ]),
    ["other signs", gene("a&b-c.d(e)"), true]
  ])(
    "to an endpoint with %s says that it is missing, unless a gateway may refuse the path",
    async (_, call, isMissing) => {
      const result = await second([none], call)
      expect(result).toMatchObject({ failure: { _tag: "InvalidRequest", status: 404 } })
      expect(Result.isFailure(result) && "isEndpointMissing" in result.failure).toBe(isMissing)
    }
  )

  it("keeps the sender of the refusal, and its message if the endpoint may be there", async () => {
    const page = Scripted.reply(405, "<title>Not Allowed</title>", { "content-type": "text/html" })
    expect(await second([page], toxval)).toMatchObject({
      failure: { status: 405, gateway: true, isEndpointMissing: true, attempts: 1 }
    })
    const message = "a gateway in front of the service rejected the request (405): Not Allowed"
    expect(await second([page], gene("a/b"))).toMatchObject({ failure: { gateway: true, message } })
    expect(await second([forbidden], toxval)).not.toHaveProperty("failure.gateway")
  })

  it("to an endpoint that says so of an unknown value means that the value is unknown", async () => {
    const result = await second([none], (client) => client.details.byDtxsid(bisphenolA))
    expect(result).toMatchObject({ failure: { _tag: "NotFound" } })
  })

  it("has no meaning of its own beside other failures", async () => {
    const result = await second([Scripted.problem(400, "bad")], toxval)
    expect(result).toMatchObject({ failure: { _tag: "InvalidRequest", status: 400 } })
    expect(result).not.toHaveProperty("failure.isEndpointMissing")
  })
})
