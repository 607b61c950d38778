/**
 * `chemstream config`: stores the base URL, the dialect and the key for every command of this user.
 *
 * The key comes from standard input or from a prompt without echo, and is written only to the settings file. An
 * argument would appear in the process list and in the shell history.
 */
import { Dialect } from "@chemstream/client"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Argument, Command, Prompt } from "effect/cli"
import { type CommandFailure, exitCodes, reasonOf, runFailure, usageFailure } from "../../CommandFailure.ts"
import { make as makeClient } from "../../flags/clientFlags.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import * as EffectiveSettings from "../../settings/effectiveSettings.ts"
import { defaultBaseUrl } from "../../settings/environmentVariables.ts"
import * as StoredSettings from "../../settings/storedSettings.ts"
import * as Messages from "../../terminal/messages.ts"

const names = ["base-url", "dialect", "api-key"] as const

type Name = (typeof names)[number]

/** The field of each setting. */
const fields = { "base-url": "baseUrl", dialect: "dialect", "api-key": "apiKey" } as const

/** The most characters to read from standard input for a key. */
const longestKey = 8192

const name = Argument.Literals("NAME", names).pipe(Argument.withDescription(names.join(", ")))

const get = Command.make(
  "get",
  {
    name: name.pipe(
      Argument.withDescription("The setting [default: all, each with its source]"),
      Argument.withDefault(undefined)
    )
  },
  ({ name }) =>
    Effect.gen(function* () {
      yield* FileCheck.check({})
      if (name === undefined) {
        for (const one of names) {
          const { from, value } = (yield* find(one)) ?? { value: "not set", from: "" }
          print([one, value, from].join("\t").trimEnd())
        }
        return
      }
      const found = yield* find(name)
      if (found === undefined) return yield* runFailure(`${name} is not set`)
      print(found.value)
    })
).pipe(
  withHelp("Show the settings that commands without flags use; never shows the key itself", {
    "chemstream config get": "All settings, each with its source",
    "chemstream config get base-url": "The base URL, for a script"
  })
)

const set = Command.make(
  "set",
  {
    name,
    value: Argument.String("VALUE").pipe(
      Argument.withDescription(
        "The base URL or the dialect; a key comes from a prompt or from standard input"
      ),
      Argument.withDefault(undefined)
    )
  },
  ({ name, value }) =>
    Effect.gen(function* () {
      yield* FileCheck.check({
        inputs: [FileCheck.standardInput],
        outputs: [FileCheck.settings()]
      })
      const settings = yield* StoredSettings.read
      switch (name) {
        case "base-url": {
          if (value === undefined) {
            return yield* usageFailure("the base URL is missing: chemstream config set base-url https://…")
          }
          yield* check(value, Redacted.make("none"))
          return yield* StoredSettings.write({ ...settings, baseUrl: value })
        }
        case "dialect": {
          return Dialect.isName(value)
            ? yield* StoredSettings.write({ ...settings, dialect: value })
            : yield* usageFailure(
                `the dialect must be ${Dialect.names.join(" or ")}: chemstream config set dialect ctx`
              )
        }
        case "api-key": {
          if (value !== undefined) {
            return yield* usageFailure(
              "other users can see an argument: omit the key, and type it at the prompt or send it to standard input. If this was your key, replace it"
            )
          }
          const apiKey = yield* askKey
          yield* check(defaultBaseUrl, apiKey)
          return yield* StoredSettings.write({ ...settings, apiKey })
        }
      }
    })
).pipe(
  withHelp("Store a setting for all commands of this user", {
    "chemstream config set base-url https://host.example/ctx-api": "The service to use",
    "chemstream config set api-key": "The key, from a prompt that does not show it",
    "chemstream config set api-key < key.txt": "The key, from a file"
  })
)

const unset = Command.make("unset", { name }, ({ name }) =>
  Effect.gen(function* () {
    yield* FileCheck.check({ outputs: [FileCheck.settings()] })
    const { [fields[name]]: _, ...rest } = yield* StoredSettings.read
    yield* StoredSettings.write(rest)
  })
).pipe(
  withHelp("Forget a setting", {
    "chemstream config unset api-key": "Removes the key"
  })
)

const path = Command.make("path", {}, () => Effect.sync(() => print(StoredSettings.path()))).pipe(
  withHelp("Show the path of the settings file, even if it does not exist", {
    'ls -l "$(chemstream config path)"': "Who can read it"
  })
)

export const config = commandGroup.make(
  "config",
  "Store the base URL, the dialect and the key, for all commands of this user",
  {
    "chemstream config set base-url https://host.example/ctx-api && chemstream config set api-key":
      "Set up once; then check it with chemstream doctor"
  },
  [get, set, unset, path]
)

const print = (line: string): void => {
  Messages.printValue(`${line}\n`)
}

/** Returns a setting to show. Undefined: not set. */
const find = (name: Name): Effect.Effect<EffectiveSettings.Found<string> | undefined, CommandFailure> => {
  switch (name) {
    case "base-url":
      return EffectiveSettings.baseUrl(undefined)
    case "dialect":
      return Effect.map(EffectiveSettings.service(), ({ dialect }) => dialect)
    case "api-key":
      return EffectiveSettings.apiKey(undefined).pipe(
        Effect.map(({ from }) => ({ value: "set (never shown)", from })),
        Effect.catch((error) =>
          error.exitCode === exitCodes.unauthorized ? Effect.succeed(undefined) : Effect.fail(error)
        )
      )
  }
}

/** Fails if no client can be made with these settings. Sends no request. */
const check = (baseUrl: string, apiKey: Redacted.Redacted): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(Layer.build(makeClient({ baseUrl, apiKey }))).pipe(
    Effect.mapError(({ message }) => usageFailure(message)),
    Effect.asVoid
  )

const askKey = Effect.suspend(() => {
  if (!process.stdin.isTTY) return readKey
  if (!process.stdout.isTTY) {
    return usageFailure("no terminal to prompt for the key: send it to standard input")
  }
  return Prompt.run(Prompt.Hidden({ message: "API key (not shown):" })).pipe(
    Effect.map((key) => Redacted.make(Redacted.value(key).trim())),
    Effect.catchTag("QuitError", () => {
      // The cursor is still behind the prompt.
      Messages.say("\n")
      return Effect.interrupt
    })
  )
})

const readKey: Effect.Effect<Redacted.Redacted, CommandFailure> = NodeStream.fromReadable<
  Uint8Array,
  CommandFailure
>({
  evaluate: () => process.stdin,
  onError: (cause) => usageFailure(`cannot read standard input: ${reasonOf(cause)}`)
}).pipe(
  Stream.decodeText,
  Stream.runFoldEffect(
    () => "",
    (text: string, more: string) =>
      text.length + more.length > longestKey
        ? usageFailure(`standard input is not a key: it is longer than ${longestKey} characters`)
        : Effect.succeed(text + more)
  ),
  Effect.map((text) => Redacted.make(text.trim()))
)
