/**
 * `chemstream doctor`: checks the connection, the key and the dialect of the service, and shows its speed and limits.
 *
 * It sends five requests as a run does, and three more that show the dialect. It does not retry, so that every failure is visible.
 */
import { Dtxsid, Operation, Rows } from "@chemstream/api"
import { ChemClient, type ChemError, type Dialect, DialectProbe } from "@chemstream/client"
import { Drift } from "@chemstream/ndjson"
import { Details } from "@chemstream/stream"
import { Clock, Effect, Result } from "effect"
import { Command } from "effect/cli"
import {
  type CommandFailure,
  callFailure,
  exitCodes,
  runFailure,
  usageFailure
} from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as MetricsFlags from "../../flags/metricsFlags.ts"
import type * as RequestRate from "../../flags/requestRate.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as EffectiveSettings from "../../settings/effectiveSettings.ts"
import * as Messages from "../../terminal/messages.ts"
import { count, counted } from "../../terminal/quantities.ts"

/** The number of the first requested substance. The service need not know it. */
const firstNumber = 20182

/** The identifiers of the batch. */
const batchSize = 100

/** The number of timed requests for one identifier. One more request before them opens the connection. */
const smallCalls = 3

/** No rate limit: a wait for it would count as response time. */
const noRateLimit: RequestRate.Rate = { requests: 1000, per: "1 second" }

const lookup = Details.byDtxsid({ projection: "compact" })

const { apiKeyFile, baseUrl, dialect, timeout } = clientFlags.flags

export const doctor = Command.make("doctor", { baseUrl, apiKeyFile, dialect, timeout }, (flags) =>
  Effect.gen(function* () {
    yield* FileCheck.check({ inputs: clientFlags.files({ ...flags, ...MetricsFlags.none }) })
    const service = yield* EffectiveSettings.baseUrl(flags.baseUrl)
    printRow("service", `${service.value} (${service.from})`)
    const key = yield* Effect.tapError(EffectiveSettings.apiKey(flags.apiKeyFile), (error) =>
      Effect.sync(() => {
        if (error.exitCode === exitCodes.unauthorized) printRow("key", "none")
      })
    )
    const { from } = yield* EffectiveSettings.dialect(flags.dialect, service.value)
    yield* Effect.provide(
      examine(key.from, from),
      clientFlags.layer({
        ...flags,
        ...MetricsFlags.none,
        retries: 0,
        rate: noRateLimit,
        verbose: false
      })
    )
  })
).pipe(
  withHelp("Check the connection, the key and the dialect of the service, and show its speed and limits", {
    "chemstream doctor": "The service of the settings",
    "chemstream doctor --base-url https://host.example/ctx-api --api-key-file key.txt --timeout 10s":
      "Another service, with a shorter timeout"
  })
)

const examine = (
  keyFrom: string,
  dialectFrom: string
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const first = yield* Effect.result(responseTime(1))
    if (Result.isFailure(first)) {
      reportFailure(first.failure, keyFrom)
      printRow("verdict", "not ready")
      return yield* callFailure(first.failure)
    }
    printRow("reached", `yes, in ${milliseconds(first.success)} with the connection`)
    printRow("key", `accepted (${keyFrom})`)
    const others = yield* Effect.forEach([...Array(smallCalls).fill(1), batchSize], (size) =>
      Effect.result(responseTime(size))
    )
    const failures = others.filter(Result.isFailure)
    const [small, [batch]] = [others.slice(0, smallCalls), others.slice(smallCalls)]
    printRow("speed", `${speedOf(small)}; ${batch === undefined ? "" : speedOfBatch(batch)}`)
    const { dialect } = yield* ChemClient.ChemClient
    printRow("limits", limits(dialect))
    const failure = failures[0]?.failure
    if (failure !== undefined) {
      printRow("verdict", `unsteady: ${counted(failures.length, "request")} of ${others.length + 1} failed`)
      // The service was reached before, so this failure has exit code 1.
      return yield* runFailure(failure.message)
    }
    // Three requests whose responses differ between the dialects.
    const signs = yield* DialectProbe.signs.pipe(
      Effect.tapError(() =>
        Effect.sync(() => printRow("verdict", "unsteady: the dialect cannot be detected"))
      ),
      Effect.mapError(({ message }) => runFailure(message))
    )
    const other = reportDialect(signs, dialect, dialectFrom)
    if (other === undefined) return printRow("verdict", "ready")
    printRow("verdict", "not ready")
    return yield* usageFailure(
      `the service has the dialect ${other}, but the setting is ${dialect}. To change it: chemstream config set dialect ${other}, or --dialect ${other}`
    )
  })

/** Reports the dialect that the service shows. Returns the dialect to set, if it clearly differs from the setting. */
const reportDialect = (
  signs: ReadonlyArray<DialectProbe.Sign>,
  setting: Dialect.Name,
  from: string
): Dialect.Name | undefined => {
  const shownDialects = [...new Set(signs.flatMap(({ dialect }) => dialect ?? []))]
  const [only] = shownDialects
  if (only === undefined) {
    printRow("dialect", `${setting} (${from}); the service does not show its own`)
  } else if (shownDialects.length > 1) {
    const each = signs.flatMap(({ dialect, request }) =>
      dialect === undefined ? [] : [`${request} as ${dialect}`]
    )
    printRow("dialect", `${setting} (${from}); the service mixes both: it handles ${each.join(", ")}`)
  } else {
    printRow(
      "dialect",
      only === setting ? `${only} (${from})` : `${only}, but the setting is ${setting} (${from})`
    )
  }
  return shownDialects.length === 1 && only !== setting ? only : undefined
}

/** Returns the response time for this many identifiers, in milliseconds. */
const responseTime = (size: number): Effect.Effect<number, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const ids = Array.from({ length: size }, (_, index) => Dtxsid.fromNumber(firstNumber + index))
    const started = yield* Clock.monotonicTimeNanos
    yield* lookup.requestBatch(ids, { validate: "off", drift: Drift.make() })
    const ended = yield* Clock.monotonicTimeNanos
    return Number(ended - started) / 1e6
  })

/** Reports what the failure of the first request shows about the service and the key. */
const reportFailure = (error: ChemError.ChemError, keyFrom: string): void => {
  if (error._tag === "ConnectionFailed" || error._tag === "RequestTimeout") {
    printRow("reached", error.phase === "connect" ? "no" : "yes, but no response was complete")
    return
  }
  printRow("reached", "status" in error ? `yes, it responded with ${error.status}` : "no")
  if (error._tag === "Unauthorized") printRow("key", `refused (${keyFrom})`)
}

const speedOf = (small: ReadonlyArray<Result.Result<number, ChemError.ChemError>>): string => {
  const times = small.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  return median === undefined
    ? "one identifier: no response"
    : `one identifier in ${milliseconds(median)} (median of ${times.length})`
}

const speedOfBatch = (batch: Result.Result<number, ChemError.ChemError>): string =>
  Result.isSuccess(batch)
    ? `${batchSize} in one request in ${milliseconds(batch.success)}`
    : `${batchSize} in one request: no response`

/** Returns the batch limits of the contract in a dialect: the most common one, and the others. */
const limits = (dialect: Dialect.Name): string => {
  const all = Operation.ofRows(Rows.contract).flatMap((operation) => {
    const { batch, name } = operation
    if (batch === undefined) return []
    const { largest = batch.limit } = Operation.difference(operation, dialect)
    return [{ name, values: Math.min(batch.limit, largest) }]
  })
  const numbers = all.map(({ values }) => values)
  const occurrencesOf = (number: number): number => numbers.filter((one) => one === number).length
  const usual = numbers.reduce((most, one) => (occurrencesOf(one) > occurrencesOf(most) ? one : most))
  const others = Map.groupBy(
    all.filter(({ values }) => values !== usual),
    ({ values }) => values
  )
  const texts = Array.from(
    others,
    ([values, some]) => `${some.map(({ name }) => name).join(", ")} ${count(values)}`
  )
  return [`${count(usual)} values per request`, ...(texts.length === 0 ? [] : [texts.join("; ")])].join(
    ", but "
  )
}

const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`

const printRow = (what: string, words: string): void => {
  Messages.print(`${what.padEnd(8)} ${words}\n`)
}
