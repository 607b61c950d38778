/**
 * The command and its subcommands.
 */
import { readFileSync } from "node:fs"
import { Command } from "effect/cli"
import { demo } from "./commands/demo.ts"
import { details } from "./commands/details.ts"
import { generate } from "./commands/generate.ts"
import { importRecords } from "./commands/import.ts"
import { serve } from "./commands/serve.ts"

/** The version of this package. */
export const version: string = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
).version

/** The `chemstream` command. */
export const chemstream = Command.make("chemstream").pipe(
  Command.withDescription("Chemical identifiers in, NDJSON records out"),
  Command.withSubcommands([details, serve, importRecords, generate, demo])
)
