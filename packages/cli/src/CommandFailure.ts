/**
 * The failure of a command: one line for people, and one exit code for scripts. The exit codes are a contract.
 *
 * `callFailure` gives a failed call its code, and `reasonOf` reads the message of a thrown value. `help/errors` explains the errors and the
 * codes to users; `harvest/harvestCheck.ts` judges a whole harvest.
 */
import type { ChemError, InvalidOption } from "@chemstream/client"
import { Data } from "effect"

export const exitCodes = {
  /** Every identifier is accounted for and none failed. */
  success: 0,
  /** An identifier failed, an option `--fail-on-…` applied, or the output could not be written. */
  failed: 1,
  /** Wrong usage or unreadable input. */
  usage: 2,
  /** The service rejected the key, or there is none. */
  unauthorized: 3,
  /** The service could not be reached, was unavailable for too long, or another server responded. */
  unreachable: 4,
  /** A harvest makes no progress, or its Postgres does not respond. */
  stuck: 5,
  /** Interrupted by Ctrl-C. For other signals: 128 plus the number of the signal. */
  interrupted: 130
} as const

/** The failure of a command: its exit code, and one line. The line is empty if everything is printed already. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  readonly exitCode: number
  readonly message: string
}> {}

/** Returns the message of a thrown value. Removes the code and the system call from the message of a system error. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, message, syscall } = cause as NodeJS.ErrnoException
  return code === undefined || syscall === undefined
    ? message
    : (message.slice(message.startsWith(`${code}: `) ? code.length + 2 : 0).split(`, ${syscall}`)[0] ??
        message)
}

export const usageFailure = (message: string): CommandFailure =>
  new CommandFailure({ exitCode: exitCodes.usage, message })

export const runFailure = (message: string): CommandFailure =>
  new CommandFailure({ exitCode: exitCodes.failed, message })

/** The failure of a run with failed identifiers, which the summary has reported. */
export const incompleteRun: CommandFailure = runFailure("")

/** Returns the exit code of a failed call from the tag of its error and its HTTP status. A harvest stores both. */
export const exitCodeFor = (tag: string, status: number | undefined): number => {
  switch (tag) {
    case "Unauthorized":
      return exitCodes.unauthorized
    case "ConnectionFailed":
    case "ServiceUnavailable":
      return exitCodes.unreachable
    case "InvalidRequest":
    case "NotFound":
      // 404: another server responds at the address.
      return status === 404 ? exitCodes.unreachable : exitCodes.failed
    case "ServiceMismatch":
      return exitCodes.usage
    default:
      return exitCodes.failed
  }
}

/** Returns the failure of a run that a failed call stopped. */
export const callFailure = (error: ChemError.ChemError): CommandFailure => {
  const isUnreachable =
    (error._tag === "RequestTimeout" && error.phase === "connect") ||
    // Another server responds at the address.
    (error._tag === "MalformedResponse" && error.page !== undefined) ||
    (error._tag === "InvalidRequest" && (error.redirect !== undefined || error.isEndpointMissing === true))
  const status = "status" in error ? error.status : undefined
  // `problem` is the message without the advice to programs, where an error has both.
  return new CommandFailure({
    exitCode: isUnreachable ? exitCodes.unreachable : exitCodeFor(error._tag, status),
    message: `${("problem" in error ? error.problem : undefined) ?? error.message}${adviceFor(error)}`
  })
}

/** Returns advice about a failed call, to append to its message. */
export const adviceFor = (error: ChemError.ChemError): string => {
  if (error._tag === "Unauthorized") return "; check CHEMSTREAM_API_KEY or the key file"
  const dialect = "otherDialect" in error ? error.otherDialect : undefined
  return dialect === undefined ? "" : ` (--dialect ${dialect} or CHEMSTREAM_DIALECT)`
}

export const settingFailure = (error: InvalidOption.InvalidOption): CommandFailure =>
  new CommandFailure({
    exitCode: error.option === "apiKey" ? exitCodes.unauthorized : exitCodes.usage,
    message: error.message
  })
