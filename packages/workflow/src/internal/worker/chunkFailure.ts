/**
 * Why an attempt at a chunk failed, and whether another can succeed.
 */
import type { ChemError } from "@chemstream/client"
import type { Enrich } from "@chemstream/stream"
import { Data } from "effect"
import { SqlError } from "effect/sql"
import type * as Sink from "../../Sink.ts"
import type * as definition from "../harvest/definition.ts"
import type { ServiceMismatch } from "../harvest/harvestErrors.ts"

/** The database has no chunk of this index: someone has deleted it. */
export class LostChunk extends Data.TaggedError("LostChunk")<{ readonly message: string }> {}

/** A lookup of the program's own failed with an error that ends the run. */
export class OwnLookupFailed extends Data.TaggedError("OwnLookupFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A defect of the program. It stops the chunk, and not the harvest for ever. */
export class ChunkDefect extends Data.TaggedError("ChunkDefect")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** Why an attempt failed. */
export type Failure =
  | ChemError.ChemError
  | Enrich.Incomplete
  | Sink.SinkError
  | SqlError.SqlError
  | LostChunk
  | ServiceMismatch
  | OwnLookupFailed
  | Ended
  | ChunkDefect

/** The harvest ended meanwhile: its chunk ends, too, and nobody is told. */
class Ended extends Data.TaggedError("Ended")<{
  readonly message: string
  readonly retryable: true
}> {}

export const ended = (): Ended => new Ended({ message: "it has ended", retryable: true })

export type { Ended }

/** Whether a database or a disk is away. */
export const isStorage = (error: Failure): boolean => error._tag === "SqlError" || error._tag === "SinkError"

/** Whether the same attempt can succeed later. */
export const canHelp = (error: Failure): boolean => {
  if (SqlError.isSqlError(error)) return true
  return "retryable" in error && error.retryable === true
}

/** Of an identifier that is joined from several answers, what one of them failed with for good. */
export const failureOf = (error: Failure): definition.Failure => {
  const lasting =
    error._tag === "Incomplete" ? Object.values(error.errors).find((part) => !canHelp(part)) : error
  const cause = lasting ?? error
  const status = "status" in cause ? cause.status : undefined
  return { tag: cause._tag, ...(status === undefined ? {} : { status }) }
}
