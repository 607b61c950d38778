/**
 * `chemstream serve`: serves a database of chemical information over HTTP, until interrupted.
 */

import { Dialect } from "@chemstream/api"
import { AccessLog, ApiKeys, Bundled, Service, type ServiceRoute, Variants } from "@chemstream/service"
import { Duration, Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import * as ExplorerRoutes from "../../explorer/explorerRoutes.ts"
import * as OneTimeLink from "../../explorer/oneTimeLink.ts"
import * as StructureRenderer from "../../explorer/structureRenderer.ts"
import {
  choice,
  defaultWhole,
  onSwitchFlag,
  optional,
  optionalText,
  optionalWhole,
  parsedText,
  port,
  switchFlag
} from "../../flags/flagTypes.ts"
import * as RequestRate from "../../flags/requestRate.ts"
import * as ServerAddress from "../../flags/serverAddress.ts"
import * as TimeFlag from "../../flags/timeFlag.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as Signals from "../../process/signals.ts"
import { defaultPort } from "../../settings/environmentVariables.ts"
import * as Messages from "../../terminal/messages.ts"

// The variants with their values, the default first.
const variantList = Object.entries(Variants.variants)
  .map(([name, { values }]) => `${name}=${values.join("|")}`)
  .join(", ")

const limit = (name: string, description: string, byDefault: number, ofCtx: number) =>
  optionalWhole(name, 1, `${description} [default: ${byDefault}; with --dialect ctx: ${ofCtx}]`)

export const serve = Command.make(
  "serve",
  {
    database: optionalText(
      "database",
      "FILE",
      "Database made by chemstream import [default: the bundled substances; those from number 99000001 are made up]",
      "d"
    ),
    port: port("port").pipe(
      Flag.withDescription(`Port to listen on; 0 for a free one [default: ${defaultPort}]`),
      Flag.withDefault(defaultPort)
    ),
    host: ServerAddress.host("host", "Address to listen on; 0.0.0.0 for every network"),
    apiKeysFile: optionalText(
      "api-keys-file",
      "FILE",
      "File of accepted keys, one per line, read again when it changes [default: a new key, which is printed]"
    ),
    rateLimit: parsedText(
      "rate-limit",
      "N/s",
      "Largest rate of requests of a key, e.g. 50/s or 600/min; more get a 429 [default: no limit]",
      RequestRate.parse,
      "a number of requests in a time: 50/s, 600/min or 1000/h"
    ).pipe(optional),
    dialect: choice(
      "dialect",
      Dialect.names,
      "specification",
      "Dialect of the service; ctx imitates the public service, to test a pipeline offline [default: specification]"
    ),
    variants: parsedText(
      "variant",
      "NAME=VALUE",
      "Variant of the public service, with --dialect ctx, e.g. synonyms=2024; repeatable [default: the release of 2026]",
      Variants.parse,
      `one of ${variantList}`
    ).pipe(Flag.atLeast(0)),
    pageSize: limit(
      "page-size",
      "Records in one page of the list of all chemicals, and of lists with numbered pages (default: 10000)",
      Service.defaults.pageSize,
      Dialect.ctxPageSize
    ),
    maxHits: limit(
      "max-hits",
      "Most substances in the response to a search",
      Service.defaults.maxHits,
      Service.defaults.ctx.maxHits
    ),
    maxIdentifiers: limit(
      "max-identifiers",
      "Most identifiers in the response to a search by formula, mass or compound",
      Service.defaults.maxIdentifiers,
      Service.defaults.ctx.maxIdentifiers
    ),
    searchThreads: defaultWhole(
      "search-threads",
      1,
      "Threads for searches, besides the main thread",
      Service.defaults.searchThreads
    ),
    maxConcurrent: defaultWhole(
      "max-concurrent",
      1,
      "Requests handled at once; more get a 503",
      Service.defaults.maxConcurrent
    ),
    maxConcurrentPerKey: optionalWhole(
      "max-concurrent-per-key",
      1,
      "Requests of one key handled at once; more get a 429 [default: a quarter of --max-concurrent, at least 8; with a single key, all]"
    ),
    maxConnections: defaultWhole(
      "max-connections",
      1,
      "Connections open at once; more are closed",
      Service.defaults.maxConnections
    ),
    maxConnectionsPerAddress: optionalWhole(
      "max-connections-per-address",
      1,
      "Connections of one address open at once; raise it behind a proxy [default: half of --max-connections, at least 8]"
    ),
    maxBodyBytes: defaultWhole(
      "max-body-bytes",
      1,
      "Largest request body; a larger one gets a 413",
      Service.defaults.maxBodyBytes
    ),
    requestTimeout: TimeFlag.withDefault(
      "request-timeout",
      "How long a request may take to arrive; a slower one gets a 408",
      { least: 1000, otherwise: Duration.toMillis(Service.defaults.requestTimeout) }
    ),
    writeTimeout: TimeFlag.withDefault(
      "write-timeout",
      "How long a client may stop reading its response before its connection is closed",
      { least: 1000, otherwise: Duration.toMillis(Service.defaults.writeTimeout) }
    ),
    metricsPort: port("metrics-port").pipe(
      Flag.withDescription("Separate port for /metrics; 0 for a free one [default: that of --port]"),
      optional
    ),
    metricsHost: ServerAddress.hostOfPort("metrics"),
    harvests: optionalText(
      "harvests",
      "FILE|URL",
      "Database of the harvests to show in the explorer [default: none]"
    ),
    open: switchFlag(
      "open",
      "Print a one-time link that opens the explorer without the key; only with a loopback --host"
    ),
    accessLog: onSwitchFlag(
      "access-log",
      "Do not log requests [default: a line of JSON for each, on standard error]"
    ),
    quiet: switchFlag("quiet", "Do not log requests; the URL and a new key are still printed").pipe(
      Flag.withAlias("q")
    )
  },
  Effect.fn(
    function* ({ apiKeysFile, harvests: harvestDatabase, open, quiet, ...served }) {
      if (served.dialect !== "ctx" && served.variants.length > 0) {
        return yield* usageFailure("--variant needs --dialect ctx")
      }
      if (open && !OneTimeLink.isLoopback(served.host)) {
        return yield* usageFailure("--open needs a loopback address: omit --host")
      }
      if (open && served.dialect === "ctx") {
        return yield* usageFailure("--open needs the explorer, which --dialect ctx does not serve")
      }
      yield* FileCheck.check({
        inputs: [
          ...FileCheck.ofOption("--api-keys-file", apiKeysFile),
          ...FileCheck.ofOption("--database", served.database)
        ],
        outputs: harvestDatabase === undefined ? [] : FileCheck.harvests("--harvests", harvestDatabase)
      })
      const { generated, keys } = yield* findKeys(apiKeysFile)
      const harvests =
        harvestDatabase === undefined
          ? []
          : [yield* Effect.flatMap(loadHarvests, ({ route }) => route(harvestDatabase))]
      const link = open ? OneTimeLink.make(firstKey(keys)) : undefined
      const service = yield* Service.make({
        ...served,
        database: served.database ?? Bundled.database,
        keys,
        routes:
          served.dialect === "ctx"
            ? []
            : [
                ...explorerRoutes(yield* StructureRenderer.make, yield* ExplorerRoutes.contents, link),
                ...harvests
              ],
        variants: Object.assign({}, ...served.variants),
        accessLog: served.accessLog && !quiet ? yield* AccessLog.stderr() : undefined
      })
      Messages.say(`chemstream serves at ${service.url} (Ctrl-C stops it)\n`)
      if (served.metricsPort !== undefined) Messages.say(`metrics at ${service.metricsUrl}/metrics\n`)
      if (generated !== undefined) {
        Messages.say(
          `no keys were given, so this one was made: ${generated}\n` +
            `use it with: export CHEMSTREAM_BASE_URL=${service.url} CHEMSTREAM_API_KEY=${generated}\n`
        )
      }
      if (link !== undefined) Messages.say(`explorer, without the key, once: ${link.at(service.url)}\n`)
      return yield* Effect.never
    },
    Effect.scoped,
    Signals.server,
    Effect.catchTags({
      ApiKeysError: (error) => usageFailure(error.message),
      StoreError: ({ database, message, reason }) =>
        usageFailure(
          reason === "absent" || reason === "empty"
            ? `${message} For example: chemstream import FILE… --kind details --database ${database}`
            : message
        ),
      InvalidOption: (error) => usageFailure(error.message),
      ListenError: (error) => runFailure(error.message)
    })
  )
).pipe(
  withHelp("Serve a database of chemical information over HTTP", {
    "chemstream serve": "The bundled substances, with a new key",
    "chemstream serve --open": "The same, with a link to the explorer",
    "CHEMSTREAM_API_KEYS=secret chemstream serve --database chemicals.sqlite --port 8080":
      "Your own database",
    "chemstream serve --dialect ctx --variant synonyms=2024":
      "The bundled substances, in the dialect of the public service",
    "chemstream serve --api-keys-file keys.txt --rate-limit 50/s 2>>access.log":
      "Keys that can be revoked while it runs, a limit for each, and a log"
  })
)

// Loaded on demand, because the packages of harvests take time to load.
const loadHarvests = Effect.promise(() => import("../../explorer/harvestsRoute.ts"))

// The imitated public service has no explorer.
const explorerRoutes = (
  render: StructureRenderer.Render,
  contents: ServiceRoute.ServiceRoute,
  link: OneTimeLink.OneTimeLink | undefined
) => [
  ...ExplorerRoutes.pages(),
  contents,
  ExplorerRoutes.structure(render),
  ...(link === undefined ? [] : [link.route])
]

// The file may change, so the key is read when the link is used.
const firstKey = (keys: Service.Options["keys"]) =>
  Effect.map("current" in keys ? keys.current : Effect.succeed(keys), ([first]) => first)

// The file is watched, so that a key can be revoked without a restart.
const findKeys = (file: string | undefined) =>
  file === undefined
    ? Effect.map(ApiKeys.resolve(), ({ keys, source }) => ({
        keys,
        generated: source === "generated" ? Redacted.value(keys[0]) : undefined
      }))
    : Effect.map(ApiKeys.follow(file), (keys) => ({ keys, generated: undefined }))
