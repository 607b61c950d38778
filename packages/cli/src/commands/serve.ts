/**
 * `chemstream serve`: the chemical-information service over a database file, until interrupted.
 */
import { ApiKeys, Bundled, Service } from "@chemstream/service"
import { Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { failed, usage } from "../CommandFailure.ts"

/** The port when none is given. */
export const defaultPort = 8765

export const serve = Command.make(
  "serve",
  {
    database: Flag.String("database").pipe(
      Flag.withAlias("d"),
      Flag.withMetavar("FILE"),
      Flag.withDescription("Database of `chemstream import`; the bundled substances when not given"),
      Flag.optional
    ),
    port: Flag.Int("port").pipe(
      Flag.withDescription(`Port to listen on (${defaultPort} when not given); 0 for a free one`),
      Flag.filter(
        (value) => value >= 0 && value <= 65535,
        () => "a port from 0 to 65535"
      ),
      Flag.withDefault(defaultPort)
    ),
    host: Flag.String("host").pipe(
      Flag.withDescription("Address to listen on (127.0.0.1 when not given); 0.0.0.0 for every network"),
      Flag.filter(
        (value) => value.trim() !== "",
        () => "an address, e.g. 127.0.0.1"
      ),
      Flag.withDefault("127.0.0.1")
    ),
    apiKeysFile: Flag.String("api-keys-file").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of accepted keys, one a line (else CHEMSTREAM_API_KEYS, else one is made)"),
      Flag.optional
    )
  },
  Effect.fn(
    function* (flags) {
      const { keys, source } = yield* ApiKeys.resolve({ file: Option.getOrUndefined(flags.apiKeysFile) })
      const service = yield* Service.make({
        database: Option.getOrElse(flags.database, () => Bundled.database),
        keys,
        host: flags.host,
        port: flags.port
      })
      process.stderr.write(`chemstream serves at ${service.url} (Ctrl-C stops it)\n`)
      if (source === "generated") {
        process.stderr.write(
          `no keys were given, so this one was made: ${Redacted.value(keys[0])}\n` +
            `use it with: export CHEMSTREAM_BASE_URL=${service.url} CHEMSTREAM_API_KEY=${Redacted.value(keys[0])}\n`
        )
      }
      return yield* Effect.never
    },
    Effect.scoped,
    Effect.catchTags({
      ApiKeysError: (error) => Effect.fail(usage(error.message)),
      StoreError: (error) => Effect.fail(usage(error.message)),
      ListenError: (error) => Effect.fail(failed(error.message))
    })
  )
).pipe(
  Command.withDescription("Serve a database of chemical information over HTTP"),
  Command.withExamples([
    { command: "chemstream serve", description: "The bundled substances, on a key made for the occasion" },
    {
      command: "CHEMSTREAM_API_KEYS=secret chemstream serve --database chemicals.sqlite --port 8080",
      description: "Your own database"
    }
  ])
)
