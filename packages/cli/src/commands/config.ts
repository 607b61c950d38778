/**
 * `chemstream config`: what holds for every command of this user: where the service is, its dialect, and the key.
 *
 * The key comes in through standard input or a prompt that shows nothing, and goes nowhere but into its file: not to a
 * terminal and not, as an argument would, into the list of processes and the history of a shell.
 */
import { Dialect } from "@chemstream/client"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { Argument, Command, Prompt } from "effect/cli"
import { type CommandFailure, exitCodes, failed, reasonOf, usage } from "../CommandFailure.ts"
import { defaultBaseUrl, make as makeClient } from "../flags/clientFlags.ts"
import * as RunFiles from "../output/runFiles.ts"
import * as commandGroup from "../run/commandGroup.ts"
import * as InForce from "../settings/effectiveSettings.ts"
import * as Settings from "../settings/settings.ts"
import * as Messages from "../terminal/messages.ts"

const names = ["base-url", "dialect", "api-key"] as const

type Name = (typeof names)[number]

/** The field that keeps a setting. */
const fields = { "base-url": "baseUrl", dialect: "dialect", "api-key": "apiKey" } as const

/** The most characters of standard input that are read for a key. */
const longestKey = 8192

const name = Argument.Literals("NAME", names).pipe(Argument.withDescription(names.join(", ")))

const get = Command.make(
  "get",
  {
    name: name.pipe(
      Argument.withDescription("The setting [default: all, with where each comes from]"),
      Argument.optional
    )
  },
  ({ name }) =>
    Effect.andThen(
      RunFiles.check({}),
      Option.match(name, {
        onNone: () =>
          Effect.gen(function* () {
            for (const one of names) {
              const { from, value } = (yield* find(one)) ?? { value: "not set", from: "" }
              print([one, value, from].join("\t").trimEnd())
            }
          }),
        onSome: (one) =>
          Effect.gen(function* () {
            const found = yield* find(one)
            if (found === undefined) return yield* failed(`${one} is not set`)
            print(found.value)
          })
      })
    )
).pipe(
  Command.withDescription("Show which settings hold, flags aside; of the key only whether there is one"),
  Command.withExamples([
    { command: "chemstream config get", description: "All settings, and where each comes from" },
    { command: "chemstream config get base-url", description: "Where the service is, for a script" }
  ])
)

const set = Command.make(
  "set",
  {
    name,
    value: Argument.String("VALUE").pipe(
      Argument.withDescription(
        "The base URL or the dialect; a key is asked for, or read from standard input"
      ),
      Argument.optional
    )
  },
  ({ name, value }) =>
    Effect.gen(function* () {
      yield* RunFiles.check({ inputs: [RunFiles.standardInput], outputs: [RunFiles.settings()] })
      const settings = yield* Settings.read
      switch (name) {
        case "base-url": {
          if (Option.isNone(value)) {
            return yield* usage("the base URL is missing: chemstream config set base-url https://…")
          }
          yield* check(value.value, Redacted.make("none"))
          return yield* Settings.write({ ...settings, baseUrl: value.value })
        }
        case "dialect": {
          const dialect = Option.getOrUndefined(value)
          return Dialect.isName(dialect)
            ? yield* Settings.write({ ...settings, dialect })
            : yield* usage(
                `the dialect must be ${Dialect.names.join(" or ")}: chemstream config set dialect ctx`
              )
        }
        case "api-key": {
          if (Option.isSome(value)) {
            return yield* usage(
              "a key as an argument can be seen by others: give none, and type it when asked or send it to standard input (and replace that key, if it was one)"
            )
          }
          const apiKey = yield* askKey
          yield* check(defaultBaseUrl, apiKey)
          return yield* Settings.write({ ...settings, apiKey })
        }
      }
    })
).pipe(
  Command.withDescription("Keep a setting for all commands of this user"),
  Command.withExamples([
    {
      command: "chemstream config set base-url https://host.example/ctx-api",
      description: "Which service to ask"
    },
    { command: "chemstream config set api-key", description: "The key, typed without being shown" },
    { command: "chemstream config set api-key < key.txt", description: "The key, from a file" }
  ])
)

const unset = Command.make("unset", { name }, ({ name }) =>
  Effect.gen(function* () {
    yield* RunFiles.check({ outputs: [RunFiles.settings()] })
    const { [fields[name]]: _, ...rest } = yield* Settings.read
    yield* Settings.write(rest)
  })
).pipe(
  Command.withDescription("Forget a setting"),
  Command.withExamples([{ command: "chemstream config unset api-key", description: "Removes the key" }])
)

const path = Command.make("path", {}, () => Effect.sync(() => print(Settings.path()))).pipe(
  Command.withDescription("Show the file that holds the settings, whether it is there or not"),
  Command.withExamples([{ command: 'ls -l "$(chemstream config path)"', description: "Who can read it" }])
)

export const config = commandGroup.make(
  "config",
  "Where the service is, its dialect and the key, for all commands of this user",
  [
    {
      command: "chemstream config set base-url https://host.example/ctx-api && chemstream config set api-key",
      description: "Set up once; then chemstream doctor says whether it works"
    }
  ],
  [get, set, unset, path]
)

const print = (line: string): void => {
  Messages.printValue(`${line}\n`)
}

/** A setting as it can be shown, undefined where there is none. */
const find = (name: Name): Effect.Effect<InForce.Found<string> | undefined, CommandFailure> => {
  const service = InForce.baseUrl(Option.none(), defaultBaseUrl)
  switch (name) {
    case "base-url":
      return service
    case "dialect":
      return Effect.flatMap(service, ({ value }) => InForce.dialect(Option.none(), value))
    case "api-key":
      return InForce.apiKey(Option.none()).pipe(
        Effect.map(({ from }) => ({ value: "set (never shown)", from })),
        Effect.catch((error) =>
          error.exitCode === exitCodes.unauthorized ? Effect.succeed(undefined) : Effect.fail(error)
        )
      )
  }
}

/** Fails where no client could be made with these. Asks nothing. */
const check = (baseUrl: string, apiKey: Redacted.Redacted): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(Layer.build(makeClient({ baseUrl, apiKey }))).pipe(
    Effect.mapError(({ message }) => usage(message)),
    Effect.asVoid
  )

const askKey = Effect.suspend(() => {
  if (!process.stdin.isTTY) return readKey
  if (!process.stdout.isTTY) {
    return Effect.fail(usage("there is no terminal to ask for the key on: send it to standard input"))
  }
  return Prompt.run(Prompt.Hidden({ message: "API key (not shown):" })).pipe(
    Effect.map((key) => Redacted.make(Redacted.value(key).trim())),
    Effect.catchTag("QuitError", () => {
      // The prompt has left the cursor behind it.
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
  onError: (cause) => usage(`cannot read standard input: ${reasonOf(cause)}`)
}).pipe(
  Stream.decodeText,
  Stream.runFoldEffect(
    () => "",
    (text: string, more: string) =>
      text.length + more.length > longestKey
        ? Effect.fail(usage(`standard input holds no key: it is longer than ${longestKey} characters`))
        : Effect.succeed(text + more)
  ),
  Effect.map((text) => Redacted.make(text.trim()))
)
