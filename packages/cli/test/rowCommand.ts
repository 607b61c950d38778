/** Runs the command with a row that the contract does not have, as a process. Not a test itself. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { load, version } from "../src/index.ts"
import { toxval } from "./fictitiousRow.ts"

const args = process.argv.slice(2)
const command = await load(args, [toxval])
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

NodeRuntime.runMain(
  Command.runWith(command, { version })(args).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, CliConfig.layer({ builtIns })))
  )
)
