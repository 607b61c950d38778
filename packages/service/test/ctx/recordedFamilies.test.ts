/**
 * Every recorded exchange of the families that the public service alone has: their records are imported, and the same
 * request gets the same response.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Lists, type Operation, Rows } from "@chemstream/api"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fileOf, folder, key, run } from "../testService.ts"

const recorded = join(import.meta.dirname, "../../../../../shared/real/rest")

interface Exchange {
  readonly file: string
  readonly method: "GET" | "POST"
  readonly path: string
  readonly request_body: string | null
  readonly status: number
  readonly content_type: string | null
  readonly note: string
  readonly body?: string | null
}

/** Exchanges that say nothing about this service, each with the reason. */
const left: Readonly<Record<string, string>> = {
  "chemical_ghslink_to-dtxsid_POST_2024.json": "the request is not recorded",
  "chemical_ghslink_to-dtxsid_X_2024.json":
    "its recorder wrote the text again, with other white space in an array",
  "bioactivity_assay_chemicals_by-aeid_X.json": "in no order; this service sorts lists of texts",
  "bioactivity_assay_count.json": "the number of the records that were imported",
  "bioactivity_assay_by-aeid_X_2024-object.json": "one object in 2024, an array of one since"
}

const isLeft = ({ file }: Exchange): boolean => file in left

const exchanges: ReadonlyArray<Exchange> = existsSync(recorded)
  ? JSON.parse(readFileSync(join(recorded, "index.json"), "utf8")).filter(
      (one: Exchange) => !isLeft(one) && (one.file !== "" || one.body !== undefined)
    )
  : []

const operationOf = ({ method, path }: Exchange): Operation.Operation | undefined => {
  const [target = ""] = path.split("?")
  return Rows.operations.find(
    (one) =>
      one.method === method &&
      one.row.dialect !== undefined &&
      new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(target)
  )
}

/** The records of a response as lines to import: with the key, if they do not have it. */
const linesOf = (operation: Operation.Operation, exchange: Exchange, text: string): ReadonlyArray<string> => {
  const { row } = operation
  const { pathname, searchParams } = new URL(exchange.path, "http://service")
  const parts = operation.path.split("/").map((part, at) => [part, pathname.split("/")[at]] as const)
  const values = Object.keys(row.key?.fields ?? {}).map((name) =>
    decodeURIComponent(parts.find(([part]) => part === `{${name}}`)?.[1] ?? searchParams.get(name) ?? "")
  )
  const id = JSON.stringify(values.join(","))
  if (row.get.body !== undefined) {
    const bytes = readFileSync(join(recorded, "answers", exchange.file))
    const content =
      row.get.body === "bytes" ? { base64: bytes.toString("base64") } : { text: bytes.toString() }
    const file = { mediaType: exchange.content_type, size: bytes.length, ...content }
    return [JSON.stringify({ [row.key?.name ?? ""]: values.join(","), ...file })]
  }
  const isList = text.trimStart().startsWith("[")
  const records = isList
    ? Result.getOrThrow(RawArray.cut(new TextEncoder().encode(text))).map(compact)
    : [compact(RawRecord.fromText(text))]
  if (row.scalar !== undefined) {
    return records.map(
      (value) => `{${row.key === undefined ? "" : `"query":${id},`}"${row.scalar}":${value}}`
    )
  }
  if (row.name === "lists.of") return records.map((record) => `${record.slice(0, -1)},"dtxsids":${id}}`)
  return row.recordKey === null && row.key !== undefined
    ? records.map((record) => `{"${row.key?.name}":${id},${record.slice(1)}`)
    : records
}

const compact = (record: RawRecord.RawRecord): string =>
  new TextDecoder().decode(RawRecord.toLine(record)).trim()

const plain = (text: string): string => text.replaceAll(/"timestamp" : "[^"]*"/g, '"timestamp" : ""')

describe.skipIf(exchanges.length === 0).each(["ctx", "specification"] as const)(
  "a service of the dialect %s (skipped without ../shared/real/rest)",
  (dialect) => {
    it.each(exchanges.map((one) => [`${one.method} ${one.path} ${one.request_body ?? ""}`, one] as const))(
      "responds as recorded to %s",
      (_, exchange) =>
        run(
          Effect.gen(function* () {
            const text =
              exchange.file === ""
                ? (exchange.body ?? "")
                : readFileSync(join(recorded, "answers", exchange.file), "utf8")
            const operation = operationOf(exchange)
            if (operation === undefined) return expect(exchange.status).toBe(404)
            const directory = yield* folder
            const database = join(directory, "chemicals.sqlite")
            const isEmpty = exchange.file === "" || operation.row.page !== undefined
            const lines = isEmpty ? [] : linesOf(operation, exchange, text)
            const content = lines.length === 0 ? '{"dtxsid":"DTXSID2020006"}' : lines.join("\n")
            const options = {
              database,
              files: [fileOf(directory, "records.ndjson", content)],
              anyFields: true
            }
            yield* lines.length === 0
              ? Import.details(options)
              : Import.rowRecords(operation.row.name === "lists.of" ? Lists.all : operation.row, options)
            const { url } = yield* Service.make({ database, keys: [Redacted.make(key)], dialect })
            const response = yield* Effect.promise(() =>
              fetch(`${url}${exchange.path}`, {
                method: exchange.method,
                headers: { "x-api-key": key, "content-type": "application/json" },
                ...(exchange.method === "POST" ? { body: exchange.request_body ?? "" } : {})
              })
            )
            const got = yield* Effect.promise(() => response.text())
            const isReformatted = exchange.file === "" || /re-formatted|cut/.test(exchange.note)
            const form = (json: string): string =>
              isReformatted ? plain(json).replaceAll(/\s+/g, "") : plain(json)
            expect([response.status, form(got)]).toEqual([exchange.status, form(text)])
            expect(response.headers.get("content-type")).toBe(exchange.content_type)
          })
        )
    )
  }
)
