/**
 * Makes the results of tool calls: a ledger of every identifier, and a bounded page of the records. It stores the
 * other records for later calls.
 *
 * `specialTools.ts` and `endpointTools.ts` define the tools.
 */
import { randomUUID } from "node:crypto"
import { join, resolve } from "node:path"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Schema } from "effect"
import { reasonOf } from "../CommandFailure.ts"
import { printableLine } from "../terminal/printable.ts"
import { defaultLimit } from "./limits.ts"

/** The largest size of the records of one answer, in characters of JSON. A single record may be larger. */
const maxAnswerSize = 256 * 1024

/** The largest size of the records of one call, in characters of JSON. */
const maxResultSize = 64 * 2 ** 20

/** The largest size of all results that are stored for later calls, in characters of JSON. */
const maxStoredSize = 2 * maxResultSize

/** The longest reason in a ledger, in characters. */
const maxReason = 500

/** The failure of a tool call. The message says what failed, and what to do. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", { message: Schema.String }) {}

/** The outcome of one identifier. */
export interface Entry {
  readonly identifier: string
  readonly status: "found" | "missing" | "failed" | "invalid"
  /** Why it was not found, or a note about its records. */
  readonly reason?: string | undefined
  readonly records: ReadonlyArray<unknown>
  /** Whether the service has more records than these. */
  readonly isTruncated?: boolean
}

const Problem = Schema.Struct({ identifier: Schema.String, reason: Schema.String })

/** The ledger of a call. Every identifier is found, missing, failed, invalid or a duplicate. */
export const Ledger = Schema.Struct({
  read: Schema.Int.annotate({ description: "Identifiers of the list" }),
  found: Schema.Array(Schema.Struct({ identifier: Schema.String, records: Schema.Int })),
  missing: Schema.Array(Problem).annotate({ description: "The service does not know them" }),
  failed: Schema.Array(Problem).annotate({ description: "Requests failed: call again with these alone" }),
  invalid: Schema.Array(Problem).annotate({
    description: "Not identifiers of this kind; no request was sent"
  }),
  duplicates: Schema.Int.annotate({ description: "Identifiers that repeat an earlier one" }),
  truncated: Schema.Array(Schema.String).annotate({
    description: "Found, but the service has more records than it sent"
  }),
  surplus: Schema.Int.annotate({ description: "Records that belong to no identifier, and are left out" })
}).annotate({ description: "The outcome of every identifier" })

/** An answer with records of any kind. */
export interface Answer {
  readonly records: ReadonlyArray<unknown>
  readonly total: number
  readonly ledger: typeof Ledger.Type
  readonly cursor?: string
  readonly file?: string
}

/** A field that need not be given. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

/** The schema of an answer with records of a schema. */
export const answer = (record: Schema.Codec<unknown, unknown>): Schema.Codec<Answer, unknown> =>
  Schema.Struct({
    records: Schema.Array(record),
    total: Schema.Int.annotate({ description: "Records of all pages" }),
    ledger: Ledger,
    cursor: optional(Schema.String, "Call again with this cursor alone for more records"),
    file: optional(Schema.String, "File of this computer with all records as NDJSON")
  })

export interface CallOutcomes {
  readonly entries: ReadonlyArray<Entry>
  /** The records of a list, which belong to no identifier. */
  readonly listed?: ReadonlyArray<unknown>
  readonly duplicates: number
  readonly surplus: number
}

interface StoredResult {
  readonly id: string
  readonly tool: string
  readonly ledger: typeof Ledger.Type
  readonly file: string | undefined
  /** The records as JSON. */
  readonly records: ReadonlyArray<string>
  readonly size: number
}

/** Answers calls, and stores the records that do not fit into an answer. */
export class Results extends Context.Service<
  Results,
  {
    /** Returns the first answer of a call. */
    readonly first: (
      tool: string,
      outcomes: CallOutcomes,
      limit: number | undefined
    ) => Effect.Effect<Answer, ToolError>
    /** Returns the answer at the cursor of an earlier one. */
    readonly next: (
      tool: string,
      cursor: string,
      limit: number | undefined
    ) => Effect.Effect<Answer, ToolError>
  }
>()("chemstream/mcp/Results") {}

/**
 * Stores results in memory. A result that does not fit into one answer is also written to the folder, if there is
 * one.
 */
export const layer = (folder: string | undefined): Layer.Layer<Results> =>
  Layer.sync(Results, () => {
    const results = new Map<string, StoredResult>()

    const store = (result: StoredResult): void => {
      results.set(result.id, result)
      let size = 0
      for (const { size: own } of results.values()) size += own
      for (const [id, { size: own }] of results) {
        if (size <= maxStoredSize) return
        results.delete(id)
        size -= own
      }
    }

    return {
      first: (tool, outcomes, limit) =>
        Effect.gen(function* () {
          const records = yield* encodeRecords(outcomes)
          const size = records.reduce((sum, record) => sum + record.length, 0)
          const whole = { id: randomUUID(), tool, ledger: ledgerOf(outcomes), file: undefined, records, size }
          const answer = page(whole, 0, limit)
          if (answer.cursor === undefined) return answer
          const result = { ...whole, file: yield* writeRecords(folder, tool, records) }
          store(result)
          return page(result, 0, limit)
        }),
      next: (tool, cursor, limit) =>
        Effect.suspend(() => {
          const [id = "", position = ""] = cursor.split(".")
          const result = results.get(id)
          if (result === undefined || result.tool !== tool || !/^\d{1,9}$/.test(position)) {
            return toolFailure(
              `This cursor is not known to ${tool}, or its records are no longer stored. Call ${tool} again without a cursor.`
            )
          }
          return Effect.succeed(page(result, Number(position), limit))
        })
    }
  })

/** Returns the records from a position, up to the limit and the largest size of an answer. */
const page = ({ file, id, ledger, records }: StoredResult, from: number, limit = defaultLimit): Answer => {
  const part: Array<string> = []
  let size = 0
  for (const record of records.slice(from, from + limit)) {
    size += record.length
    if (part.length > 0 && size > maxAnswerSize) break
    part.push(record)
  }
  const end = from + part.length
  return {
    records: part.map((record) => JSON.parse(record) as unknown),
    total: records.length,
    ledger,
    ...(end < records.length ? { cursor: `${id}.${end}` } : {}),
    ...(file === undefined ? {} : { file })
  }
}

/** Encodes the records as JSON. Fails if they are larger than `maxResultSize`. */
const encodeRecords = ({
  entries,
  listed = []
}: CallOutcomes): Effect.Effect<ReadonlyArray<string>, ToolError> =>
  Effect.suspend(() => {
    const records: Array<string> = []
    let size = 0
    for (const part of [listed, ...entries.map((entry) => entry.records)]) {
      for (const record of part) {
        const text = JSON.stringify(record)
        size += text.length
        if (size > maxResultSize) {
          const advice = entries.length > 0 ? "Call again with fewer identifiers" : "Use the command"
          return toolFailure(`The records of this list are larger than 64 MiB. ${advice}.`)
        }
        records.push(text)
      }
    }
    return Effect.succeed(records)
  })

/** Writes records to a new file in a folder. */
const writeRecords = (
  folder: string | undefined,
  tool: string,
  records: ReadonlyArray<string>
): Effect.Effect<string | undefined, ToolError> => {
  if (folder === undefined) return Effect.succeed(undefined)
  const file = join(resolve(folder), `${tool}-${randomUUID()}.ndjson`)
  const bytes = new TextEncoder().encode(records.map((record) => `${record}\n`).join(""))
  return WholeFile.write(file, bytes).pipe(
    Effect.mapError(({ reason }) =>
      toolFailure(`The records cannot be written to ${file}: ${reasonOf(reason.cause ?? reason)}.`)
    ),
    Effect.as(file),
    Effect.provide(NodeServices.layer)
  )
}

const ledgerOf = ({ duplicates, entries, surplus }: CallOutcomes): typeof Ledger.Type => {
  const of = (status: Entry["status"]) =>
    entries
      .filter((entry) => entry.status === status)
      .map(({ identifier, reason = "" }) => ({ identifier, reason: shorten(reason) }))
  return {
    read: entries.length + duplicates,
    found: entries
      .filter(({ status }) => status === "found")
      .map(({ identifier, records }) => ({ identifier, records: records.length })),
    missing: of("missing"),
    failed: of("failed"),
    invalid: of("invalid"),
    duplicates,
    truncated: entries.filter(({ isTruncated }) => isTruncated === true).map(({ identifier }) => identifier),
    surplus
  }
}

/** Makes the failure of a tool call with a short message. */
export const toolFailure = (message: string): ToolError => new ToolError({ message: shorten(message) })

/** Shortens a reason to `maxReason`, and escapes control characters. */
export const shorten = (reason: string): string => {
  const text = printableLine(reason)
  return text.length > maxReason ? `${text.slice(0, maxReason)}…` : text
}
