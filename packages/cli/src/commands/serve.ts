/**
 * `chemstream serve`: the chemical-information service over a database file, until interrupted.
 */
import { AccessLog, ApiKeys, Bundled, Service } from "@chemstream/service"
import { Duration, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { failed, usage } from "../CommandFailure.ts"
import { defaultPort } from "../defaultPort.ts"
import { port, wholeFrom1 } from "../numberFlags.ts"
import * as Rate from "../rate.ts"
import * as RunFiles from "../runFiles.ts"
import * as Messages from "../terminal/messages.ts"

export const serve = Command.make(
  "serve",
  {
    database: Flag.String("database").pipe(
      Flag.withAlias("d"),
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "Database of `chemstream import`; the bundled substances when not given, of which identifiers numbered from 99000001 up are made up (qcNotes)"
      ),
      Flag.optional
    ),
    port: port("port").pipe(
      Flag.withDescription(`Port to listen on (${defaultPort} when not given); 0 for a free one`),
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
      Flag.withDescription(
        "File of accepted keys, one a line, read again when it changes (else CHEMSTREAM_API_KEYS, else one is made)"
      ),
      Flag.optional
    ),
    rateLimit: Flag.String("rate-limit").pipe(
      Flag.withMetavar("N/s"),
      Flag.withDescription("Requests a key may make, e.g. 50/s or 600/min; more are answered 429"),
      Flag.filterMap(Rate.parse, () => "a number of requests in a time: 50/s, 600/min or 1000/h"),
      Flag.optional
    ),
    pageSize: wholeFrom1(
      "page-size",
      "Records of a page of the list of all chemicals",
      Service.defaultPageSize
    ),
    maxHits: wholeFrom1("max-hits", "Substances that a search answers", Service.defaultMaxHits),
    searchThreads: wholeFrom1(
      "search-threads",
      "Threads that search beside the one that answers",
      Service.defaultSearchThreads
    ),
    maxConcurrent: wholeFrom1(
      "max-concurrent",
      "Requests that are answered at once; more are answered 503",
      Service.defaultMaxConcurrent
    ),
    maxBodyBytes: wholeFrom1(
      "max-body-bytes",
      "Largest request body; a larger one is answered 413",
      Service.defaultMaxBodyBytes
    ),
    requestTimeout: wholeFrom1(
      "request-timeout",
      "Seconds a request may take to arrive; a slower one is answered 408",
      Duration.toSeconds(Service.defaultRequestTimeout)
    ),
    accessLog: Flag.Boolean("access-log").pipe(
      Flag.withDescription(
        "A line of JSON on standard error for each request (the default; --no-access-log or --quiet: none)"
      ),
      Flag.withDefault(true)
    ),
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withAlias("q"),
      Flag.withDescription(
        "No line for a request; where it serves, and a key that was made, are said all the same"
      ),
      Flag.withDefault(false)
    )
  },
  Effect.fn(
    function* (flags) {
      yield* RunFiles.check({
        inputs: [
          ...RunFiles.ofOption("--api-keys-file", flags.apiKeysFile),
          ...RunFiles.ofOption("--database", flags.database)
        ]
      })
      const { generated, keys } = yield* findKeys(flags.apiKeysFile)
      const service = yield* Service.make({
        database: Option.getOrElse(flags.database, () => Bundled.database),
        keys,
        host: flags.host,
        port: flags.port,
        rateLimit: Option.getOrUndefined(flags.rateLimit),
        pageSize: flags.pageSize,
        maxHits: flags.maxHits,
        searchThreads: flags.searchThreads,
        maxConcurrent: flags.maxConcurrent,
        maxBodyBytes: flags.maxBodyBytes,
        requestTimeout: Duration.seconds(flags.requestTimeout),
        accessLog: flags.accessLog && !flags.quiet ? yield* AccessLog.stderr() : undefined
      })
      Messages.say(`chemstream serves at ${service.url} (Ctrl-C stops it)\n`)
      if (generated !== undefined) {
        Messages.say(
          `no keys were given, so this one was made: ${generated}\n` +
            `use it with: export CHEMSTREAM_BASE_URL=${service.url} CHEMSTREAM_API_KEY=${generated}\n`
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
    },
    {
      command: "chemstream serve --api-keys-file keys.txt --rate-limit 50/s 2>>access.log",
      description: "Keys that can be revoked while it runs, a limit for each, and a log"
    }
  ])
)

// A file is followed, so that a key can be revoked without a restart; the environment of a process does not change.
const findKeys = (file: Option.Option<string>) =>
  Option.match(file, {
    onSome: (path) => Effect.map(ApiKeys.follow(path), (keys) => ({ keys, generated: undefined })),
    onNone: () =>
      Effect.map(ApiKeys.resolve(), ({ keys, source }) => ({
        keys,
        generated: source === "generated" ? Redacted.value(keys[0]) : undefined
      }))
  })
