/**
 * Every recorded response of the families that the public service alone has comes out of the command byte for byte, without the white
 * space between tokens.
 */

import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Row } from "@chemstream/api"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Result } from "effect"
import { CliOutput } from "effect/cli"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  answers,
  bodyOf,
  callOf,
  type Exchange,
  linesOf,
  named,
  operationOf,
  respondTo
} from "../../stream/test/recordedExchanges.ts"
import { runArguments } from "../src/chemstream.ts"
import * as CommandIndex from "../src/endpoints/commandIndex.ts"
import { folder } from "./process.ts"

/** The recorded responses that the command does not write, each with the reason. */
const differences: Readonly<Record<string, string>> = {
  "chemical_ghslink_to-dtxsid_POST_2024.json": "the request is not recorded"
}

/** The values, the form and the parameters of a recorded request. */
interface Requested {
  readonly exchange: Exchange
  readonly row: Row.Row
  readonly ids: ReadonlyArray<string>
  readonly projection: string | undefined
  readonly query: Readonly<Record<string, string | null>>
  /** Whether the response says which value each record belongs to. */
  readonly isBatch: boolean
}

const requestedOf = (exchange: Exchange): Requested => {
  const operation = operationOf(exchange)
  const { key, projection, query } = callOf(exchange, operation)
  const isBatch = operation.batch !== undefined
  const ids = isBatch ? JSON.parse(exchange.request_body ?? "") : [key.join(",")]
  return {
    exchange,
    row: operation.row,
    ids: operation.key === undefined ? [] : ids,
    projection,
    query,
    isBatch
  }
}

/** Returns the arguments of the command that looks up the same values. */
const argumentsOf = ({ ids, projection, query, row }: Requested): ReadonlyArray<string> => {
  for (const command of CommandIndex.of()) {
    const choice = CommandIndex.choicesOf(command).find((one) => one.row === row)
    if (choice === undefined) continue
    return [
      ...command.words,
      ...CommandIndex.optionsOf(command, choice).flatMap((option) => option.split(" ")),
      ...(projection === undefined || !(projection in (row.forms ?? {})) ? [] : ["--projection", projection]),
      ...Object.entries(query).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...ids
    ]
  }
  throw new Error(`no command has the row ${row.name}`)
}

/** Returns the lines of the command. A value without records is a line of the errors file instead. */
const expectedLines = ({ exchange, ids, isBatch, projection, row }: Requested): ReadonlyArray<string> =>
  ids.length > 0
    ? ids.flatMap((id) => linesOf(exchange, row, id, isBatch, projection))
    : linesOf(exchange, row, "", isBatch, projection).map((line) =>
        row.scalar === undefined ? line.replace(/^\{"":"",?/, "{") : line.replace('"query":"",', "")
      )

/**
 * Responds to the recorded request. If only the request of a single value is recorded, and the command sends a batch of it, the
 * response has the same records.
 */
const answerTo = ({ exchange, row }: Requested, request: Parameters<ReturnType<typeof respondTo>>[0]) => {
  const { pathname } = new URL(request.url, "http://service")
  if (exchange.method === "POST" || request.method === "GET" || pathname !== row.batch?.path)
    return respondTo(exchange, row)(request)
  const text = exchange.status === 200 ? bodyOf(exchange).toString() : "[ ]"
  return { status: 200, body: text.trimStart().startsWith("[") ? text : `[ ${text} ]`, headers: {} }
}

const silent = CliOutput.layerPresenter({ present: () => Effect.void })

const cases = named.map(([name, exchange]) => [name, requestedOf(exchange)] as const)

describe.skipIf(cases.length === 0)("the command (skipped without ../shared/real/rest)", () => {
  let current: Requested | undefined
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
    request.on("end", () => {
      const { method = "", url = "" } = request
      const body = text === "" ? undefined : JSON.parse(text)
      const answer = answerTo(current as Requested, { method, url, body })
      response
        .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
        .end(answer.body)
    })
  })
  let options: ReadonlyArray<string> = []

  beforeAll(async () => {
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    process.env["CHEMSTREAM_API_KEY"] = "a-key"
    options = [
      "--base-url",
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      "--dialect",
      "ctx",
      "-q"
    ]
  })

  afterAll(() => {
    delete process.env["CHEMSTREAM_API_KEY"]
    server.close()
    server.closeAllConnections()
  })

  it.each(cases)("writes the recorded records of %s", async (_, requested) => {
    current = requested
    const { exchange, ids, isBatch, projection, row } = requested
    const at = folder()
    const [output, errors] = [join(at, "out.ndjson"), join(at, "errors.ndjson")]
    const isLookup = row.key !== undefined
    const files = ["--output", output, ...(isLookup ? ["--errors", errors] : [])]
    const run = runArguments([...argumentsOf(requested), ...files, ...options]).pipe(
      Effect.provide(Layer.merge(NodeServices.layer, silent))
    )
    const key = CommandIndex.keyOf(row)
    if (isLookup && ids.every((id) => Result.isFailure(key.parse(id)))) {
      const refusal = await Effect.runPromise(Effect.flip(run))
      return expect(refusal).toMatchObject({
        message: expect.stringMatching(/^no value of the input is valid/)
      })
    }
    await Effect.runPromise(run)
    const linesIn = (file: string) => readFileSync(file, "utf8").split("\n").slice(0, -1)
    expect(linesIn(output)).toEqual(expectedLines(requested))
    if (!isLookup) return
    const without = ids.filter((id) => linesOf(exchange, row, id, isBatch, projection).length === 0)
    expect(linesIn(errors).map((line) => JSON.parse(line))).toEqual(
      without.map((id) => expect.objectContaining({ id, outcome: "missing" }))
    )
  })

  it("has a request for each recorded response, but those whose difference is known", () => {
    const files = new Set(cases.map(([, { exchange }]) => exchange.file))
    const left = readdirSync(answers).filter((file) => !files.has(file))
    expect(left).toEqual(Object.keys(differences))
  })
})
