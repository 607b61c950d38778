/**
 * Keeps the responses of a stopped run into a file that are not in its output yet, in `FILE.received`. `run/unwrittenResponses.ts` makes the lines.
 */
import { createReadStream, existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as OutputPlace from "./outputPlace.ts"
import { type Responses, responseBeginning } from "./runStore.ts"

/** Returns the name of the file for an output. */
export const nameOf = (output: string): string => `${output}.received`

/** Opens the file of an output. Fails if another program wrote it. */
export const open = (output: OutputPlace.Target): Effect.Effect<Responses, CommandFailure> => {
  const file = nameOf(output.path)
  const name = nameOf(output.name)
  const named = OutputPlace.asWriteFailure(name)
  const responses: Responses = {
    name,
    read: Effect.suspend(() =>
      existsSync(file)
        ? Effect.map(
            Effect.tryPromise(() => readFile(file, "utf8")),
            (text) => text.split("\n").filter((line) => line !== "")
          )
        : Effect.succeed([])
    ),
    replace: (texts) =>
      (texts.length === 0
        ? Effect.flatMap(FileSystem.FileSystem, (files) => files.remove(file, { force: true }))
        : WholeFile.write(file, Buffer.concat(texts.map((text) => Buffer.from(`${text}\n`))))
      ).pipe(named, Effect.provide(NodeServices.layer))
  }
  return Effect.flatMap(
    Effect.promise(() => isForeign(file).catch(() => true)),
    (foreign) =>
      foreign
        ? usageFailure(
            `${name} exists, but no run has left it. Rename or remove it, or choose another --output file`
          )
        : Effect.succeed(responses)
  )
}

const isForeign = async (file: string): Promise<boolean> => {
  if (!existsSync(file)) return false
  let beginning = ""
  for await (const bytes of createReadStream(file, { end: responseBeginning.length - 1 })) beginning += bytes
  return beginning !== responseBeginning
}
