// The help of every command, as data: what `--help` shows before it is laid out.

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import { load, version } from "../src/index.ts"

/** The help of a command, by the words that call it, e.g. `chemstream config get`. */
export interface Page {
  readonly path: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
}

/** Every command, each before those under it. */
export const read = async (): Promise<ReadonlyArray<Page>> => {
  const command = await load()
  const ask = (path: ReadonlyArray<string>): Promise<ReadonlyArray<Page>> =>
    Effect.runPromise(
      Effect.gen(function* () {
        const shown: Array<HelpDoc.HelpDoc> = []
        const presenter: CliOutput.Presenter = {
          present: (event) =>
            Effect.sync(() => {
              if (event._tag === "Help") shown.push(event.helpDoc)
            })
        }
        yield* Command.runWith(command, { version })([...path.slice(1), "--help"]).pipe(
          Effect.provide(
            Layer.mergeAll(
              NodeServices.layer,
              CliOutput.layerPresenter(presenter),
              CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
            )
          )
        )
        const [help] = shown
        if (help === undefined) throw new Error(`${path.join(" ")} shows no help`)
        const names = (help.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
        const below = yield* Effect.promise(() => Promise.all(names.map((name) => ask([...path, name]))))
        return [{ path, help }, ...below.flat()]
      })
    )
  return ask([command.name])
}
