/**
 * How a command ends badly: one line for the person, one exit code for the script.
 *
 * The codes are the command's contract; every failure of the packages becomes one of them here, and only here.
 */
import type { ChemError, InvalidOption } from "@chemstream/client"
import { Data } from "effect"

/** The exit codes. */
export const exitCodes = {
  /** Every identifier is accounted for and none failed. */
  success: 0,
  /** Some identifiers failed, or the output could not be written. */
  failed: 1,
  /** Wrong usage or unreadable input. */
  usage: 2,
  /** Refused as unauthorized. */
  unauthorized: 3,
  /** The service could not be reached at all. */
  unreachable: 4,
  /** Interrupted by Ctrl-C; 128 and the number of the signal for others. */
  interrupted: 130
} as const

/** The end of a command: its exit code and, where there is something left to say, one line. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  readonly exitCode: number
  readonly message: string
}> {}

/** The words of a thrown value. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

export const usage = (message: string): CommandFailure =>
  new CommandFailure({ exitCode: exitCodes.usage, message })

export const failed = (message: string): CommandFailure =>
  new CommandFailure({ exitCode: exitCodes.failed, message })

/** Some identifiers failed; the summary has said so. */
export const incomplete: CommandFailure = failed("")

/** The exit code of a failed call, by the name of its error and the HTTP status, as a harvest keeps them. */
export const codeOf = (tag: string, status: number | undefined): number => {
  switch (tag) {
    case "Unauthorized":
      return exitCodes.unauthorized
    case "ConnectionFailed":
    case "ServiceUnavailable":
      return exitCodes.unreachable
    case "InvalidRequest":
    case "NotFound":
      // A page under the address, and no service.
      return status === 404 ? exitCodes.unreachable : exitCodes.failed
    case "ServiceMismatch":
      return exitCodes.usage
    default:
      return exitCodes.failed
  }
}

/** The end of a run that ended with the failure of a call. */
export const ofCall = (error: ChemError.ChemError): CommandFailure => {
  const isUnreachable = error._tag === "RequestTimeout" && error.phase === "connect"
  const status = "status" in error ? error.status : undefined
  return new CommandFailure({
    exitCode: isUnreachable ? exitCodes.unreachable : codeOf(error._tag, status),
    message: `${error.message}${adviceOn(error)}`
  })
}

/** What a person can do about a failure with the command, to put after its message. */
export const adviceOn = (error: ChemError.ChemError): string => {
  if (error._tag === "Unauthorized") return "; check CHEMSTREAM_API_KEY or the key file"
  const dialect = "otherDialect" in error ? error.otherDialect : undefined
  return dialect === undefined ? "" : ` (--dialect ${dialect} or CHEMSTREAM_DIALECT)`
}

export const ofSetting = (error: InvalidOption.InvalidOption): CommandFailure =>
  new CommandFailure({
    exitCode: error.option === "apiKey" ? exitCodes.unauthorized : exitCodes.usage,
    message: error.message
  })
