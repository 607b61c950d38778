/**
 * `chemstream mcp`: gives assistants the lookups as tools, over the Model Context Protocol.
 *
 * Effect's `McpServer` implements the protocol. Standard output carries only the protocol.
 */
import { statSync } from "node:fs"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { CommandFailure, reasonOf, runFailure, usageFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { optional, optionalText, port } from "../../flags/flagTypes.ts"
import * as harvestDatabase from "../../harvest/harvestDatabase.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as ArgumentCheck from "../../mcp/argumentCheck.ts"
import * as CheckedStdio from "../../mcp/checkedStdio.ts"
import * as DrawingTool from "../../mcp/drawingTool.ts"
import * as EndpointTools from "../../mcp/endpointTools.ts"
import * as HttpTransport from "../../mcp/httpTransport.ts"
import * as Resources from "../../mcp/resources.ts"
import { toolkit } from "../../mcp/specialTools.ts"
import * as ToolHandlers from "../../mcp/toolHandlers.ts"
import * as ToolResults from "../../mcp/toolResults.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as Signals from "../../process/signals.ts"
import * as Logger from "../../terminal/logger.ts"
import { version } from "../../version.ts"

/** The revisions of the protocol, the newest first. */
const protocols = [
  McpProtocol.v2026_07_28,
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

const instructions =
  "Tools over a chemical-information service. Use resolve for names, CAS numbers and mixed lists, then the other tools with DTXSIDs. Every answer has a ledger that accounts for every identifier; report those that were not found. An answer with a cursor has more records."

const options = {
  http: port("http").pipe(
    Flag.withDescription(
      `Port to serve over HTTP, at http://127.0.0.1:PORT${HttpTransport.path}; 0 for a free one [default: standard input and output]`
    ),
    optional
  ),
  allowOrigins: Flag.String("allow-origin").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Origin of a web page that may call over HTTP; repeatable [default: none]"),
    Flag.atLeast(0)
  ),
  outputDir: Flag.String("output-dir").pipe(
    Flag.withMetavar("FOLDER"),
    Flag.withDescription(
      "Folder for the records of results that do not fit into one answer [default: not written]"
    ),
    Flag.filter(
      (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
      () => "a folder that exists"
    ),
    optional
  ),
  harvests: optionalText(
    "harvests",
    "FILE|URL",
    "Database of the harvests of harvest_status [default: none]"
  ),
  client: clientFlags.flags
}

type Options = Command.Command.Config.Infer<typeof options>

const run = Effect.fnUntraced(
  function* ({ allowOrigins, client, harvests, http, outputDir }: Options, rows: RowList | undefined) {
    if (http === undefined && allowOrigins.length > 0)
      return yield* usageFailure("--allow-origin needs --http")
    yield* FileCheck.check({
      inputs: clientFlags.files(client),
      outputs: harvests === undefined ? [] : harvestDatabase.files(harvests, "--harvests")
    })
    const tools = EndpointTools.of(rows)
    const registrations = Layer.mergeAll(
      McpServer.toolkit(toolkit).pipe(Layer.provide(ToolHandlers.layer)),
      Layer.effectDiscard(DrawingTool.register),
      ToolHandlers.layerRows(tools),
      Resources.layer(rows)
    ).pipe(Layer.provide(ArgumentCheck.layer(tools)))
    const server = { name: "chemstream", version, instructions, protocols, registrations }
    const running =
      http === undefined
        ? McpServer.layerStdio(server).pipe(Layer.provide(CheckedStdio.layer))
        : HttpTransport.layer(server, http, allowOrigins)
    // An assistant stops the server by closing standard input. The server then interrupts the fiber that runs it.
    const exit = yield* Effect.catchTag(Layer.launch(running), "IllegalArgumentError", Effect.die).pipe(
      Effect.forkChild,
      Effect.flatMap(Fiber.await),
      // A failure of these, e.g. that there is no API key, would be lost within the server.
      Effect.provide([ToolResults.layer(outputDir), harvestsLayer(harvests), clientFlags.layer(client)])
    )
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return
    const error = Cause.squash(exit.cause)
    // An assistant shows standard error to its user, who can do nothing with a stack trace.
    return yield* error instanceof CommandFailure
      ? error
      : runFailure(`the server has stopped: ${reasonOf(error)}`)
  },
  Effect.provide(Logger.layerWithoutStacks),
  Signals.server
)

/** Makes the command for the endpoints that rows declare. Default: those of the contract. */
export const mcp = (rows?: RowList) =>
  Command.make("mcp", options, (flags) => run(flags, rows)).pipe(
    withHelp("Tools for assistants, over the Model Context Protocol", {
      "chemstream mcp": "Started by an assistant, over standard input and output",
      "chemstream mcp --http 8766 --output-dir results":
        "Over HTTP on this machine, with a new bearer token, which is printed"
    })
  )

const harvestsLayer = (database: string | undefined) =>
  database === undefined
    ? Layer.succeed(ToolHandlers.Harvests, undefined)
    : Layer.effect(ToolHandlers.Harvests, SqlClient.SqlClient).pipe(
        Layer.provide(harvestDatabase.layer(database, { option: "--harvests" }))
      )
