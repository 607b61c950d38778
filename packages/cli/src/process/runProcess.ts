/**
 * Runs the process: parses the arguments, and turns the failure of a command into one line on standard error and an exit code.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, identity, Layer, Option, Tracer } from "effect"
import { CliConfig, CliError, CliOutput, GlobalFlag } from "effect/cli"
import { CommandFailure, exitCodes, reasonOf } from "../CommandFailure.ts"
import { runArguments } from "../chemstream.ts"
import type { RowList } from "../endpoints/commandIndex.ts"
import { presenter } from "../help/presenter.ts"
import * as SecretFiles from "../settings/secretFiles.ts"
import * as JsonLog from "../terminal/jsonLog.ts"
import * as Logger from "../terminal/logger.ts"
import * as Messages from "../terminal/messages.ts"
import { hasCollector } from "./hasCollector.ts"
import { ImmediateStop } from "./immediateStop.ts"
import { exitCodeOfSignal, secondSignal } from "./signals.ts"

const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) {
    const code = exitCodeOfSignal() ?? exitCodes.interrupted
    Messages.say(`chemstream: ${code === exitCodes.success ? "stopped" : "interrupted"}\n`)
    return code
  }
  const error = Cause.squash(cause)
  if (CliError.isCliError(error)) {
    return error._tag === "ShowHelp" && error.errors.length === 0 ? exitCodes.success : exitCodes.usage
  }
  if (error instanceof CommandFailure) {
    if (error.message !== "") Messages.say(`chemstream: ${error.message}\n`, "error")
    return error.exitCode
  }
  Messages.say(`chemstream: a defect, please report it\n${Cause.pretty(cause)}\n`, "error")
  return exitCodes.failed
}

/** The flag of shell completions. Their module is loaded only for this flag. */
const completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell, { command }) =>
    Option.isNone(shell)
      ? Effect.void
      : Effect.promise(async () => {
          const { script } = await import("../help/completions.ts")
          Messages.printValue(`${script(shell.value, command)}\n`)
        })
})

/** Runs the command in a span, below that of `TRACEPARENT` if a scheduler has set it. Its trace is that of all messages. */
const inTrace =
  (name: string) =>
  <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const [, traceId = "", spanId = "", flags = ""] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(process.env["TRACEPARENT"] ?? "") ?? []
    const sampled = Number.parseInt(flags, 16) % 2 === 1
    const parent = traceId === "" ? undefined : Tracer.externalSpan({ traceId, spanId, sampled })
    return Effect.useSpan(name, { parent }, (span) => {
      JsonLog.setTrace(span.traceId)
      return Effect.withParentSpan(command, span, { captureStackTrace: false })
    })
  }

/** Fails a process that has printed a text, e.g. its help, and ends as if standard output had taken it. */
const failUnlessReported = (error: NodeJS.ErrnoException): void => {
  if (error.code === "EPIPE") return
  process.once("exit", () => {
    // A failure was reported, or another failed write of this process.
    if ((process.exitCode ?? exitCodes.success) !== exitCodes.success) return
    process.exitCode = exitCodes.failed
    Messages.say(`chemstream: cannot write standard output: ${reasonOf(error)}\n`)
  })
}

/** Runs the command of the process. `rows` are endpoints beside those of the contract. Default: none. */
export const runProcess = (rows?: RowList): void => {
  // Without listeners, Node throws when the reader closes a pipe. A failed write of records reaches its writer anyway. A failed write to
  // standard error must not stop a run.
  process.stdout.on("error", failUnlessReported)
  process.stderr.on("error", () => {})
  const args = process.argv.slice(2)
  JsonLog.setUp(args, process.env)
  const [name = ""] = args.filter((arg) => /^[a-z]+$/.test(arg))
  const program = Effect.try({
    try: () => SecretFiles.read(process.env),
    catch: (failure) => failure as CommandFailure
  }).pipe(
    Effect.andThen(runArguments(args, rows)),
    hasCollector || JsonLog.isJson() ? inTrace(`chemstream ${name}`.trim()) : identity,
    Effect.provideService(ImmediateStop, secondSignal),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliOutput.layerPresenter(presenter),
        // The collector gets the messages besides standard error, so its layer is built on that of the log.
        hasCollector
          ? Layer.unwrap(
              Effect.map(
                Effect.promise(() => import("./telemetryExport.ts")),
                ({ layer }) => layer
              )
            ).pipe(Layer.provideMerge(Logger.layer))
          : Logger.layer,
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, completions] })
      )
    )
  )
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? exitCodes.success : exitCodeOf(exit.cause))
  })
}
