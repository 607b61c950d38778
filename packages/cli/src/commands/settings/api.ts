/**
 * `chemstream api`: sends any request of the contract, with the key, retries and dialect of all commands. It writes
 * the body of the response unchanged.
 */
import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { ChemClient } from "@chemstream/client"
import { Effect, Result, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, callFailure, reasonOf, runFailure, usageFailure } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { optionalText, switchFlag } from "../../flags/flagTypes.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as OutputFiles from "../../output/outputFiles.ts"
import * as ContractRequest from "../../run/contractRequest.ts"

const LF = 0x0a

export const api = Command.make(
  "api",
  {
    method: Argument.Literals("METHOD", ["GET", "POST"]).pipe(Argument.withDescription("GET or POST")),
    path: Argument.String("PATH").pipe(
      Argument.withDescription("Path below the base URL, with its query, e.g. /chemical/all?next=2")
    ),
    data: optionalText("data", "JSON", "Body of a POST; @FILE reads a file, @- standard input"),
    client: clientFlags.flags,
    dryRun: switchFlag("dry-run", "Print the request on standard output, and send nothing")
  },
  ({ client, data, dryRun, method, path }) =>
    Effect.gen(function* () {
      const file = data?.startsWith("@") && data !== "@-" ? data.slice(1) : undefined
      yield* FileCheck.check({
        inputs: [...FileCheck.ofOption("--data", file), ...clientFlags.files(client)]
      })
      const payload = data === undefined ? undefined : yield* payloadOf(data)
      const { endpoint, request } = yield* Result.match(ContractRequest.parse(method, path, payload), {
        onSuccess: Effect.succeed,
        onFailure: (message) => usageFailure(message)
      })
      const call = Effect.flatMap(ChemClient.ChemClient, (one) =>
        one.raw(endpoint, request as never, (body) => Result.succeed(body))
      ).pipe(
        Effect.mapError((error) => {
          if (error._tag === "InvalidIdentifier" || error._tag === "BatchTooLarge")
            return usageFailure(error.message)
          // The service responded, and has no data for this value.
          return error._tag === "NotFound" ? runFailure(error.message) : callFailure(error)
        })
      )
      const response = clientFlags.provide(client, { dryRun })(call)
      if (dryRun) return yield* Effect.ignore(response)
      const body = yield* response
      const end = body.at(-1) === LF ? [] : [Uint8Array.of(LF)]
      yield* OutputFiles.write(undefined, Stream.make(body, ...end))
    })
).pipe(
  withHelp(
    "Send any request of the contract with the key, retries and limits of every command, and print the response",
    {
      "chemstream api GET /chemical/detail/search/by-dtxsid/DTXSID7020182 | jq .casrn":
        "One record as the service sends it",
      [`chemstream api POST /chemical/detail/search/by-dtxsid/ --data '["DTXSID7020182"]' --verbose`]:
        "A batch, with status, time and attempt on standard error"
    }
  )
)

/** Returns the body of `--data`: its JSON, or that of a file (`@FILE`) or of standard input (`@-`). */
const payloadOf = (given: string): Effect.Effect<unknown, CommandFailure> =>
  Effect.gen(function* () {
    const json = given.startsWith("@")
      ? yield* Effect.tryPromise({
          try: () => (given === "@-" ? text(process.stdin) : readFile(given.slice(1), "utf8")),
          catch: (cause) => usageFailure(`cannot read --data: ${reasonOf(cause)}`)
        })
      : given
    return yield* Effect.try({
      try: (): unknown => JSON.parse(json),
      catch: (cause) =>
        usageFailure(`--data is not JSON: ${reasonOf(cause)}. Quote it for the shell: '["DTXSID7020182"]'`)
    })
  })
