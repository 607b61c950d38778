/**
 * Describes why a request violates the contract: its part, the element and the value.
 *
 * Long values are cut, and arrays and objects are named by their type only, because a request may contain anything.
 */
import { Quote } from "@chemstream/api"
import { SchemaIssue } from "effect"
import type { HttpApiError } from "effect/http-api"

/** Returns the `detail` of a 400. */
export const describe = (error: HttpApiError.HttpApiSchemaError): string => {
  const refused = find(error.cause.issue, [])
  const expected = lowerFirst(
    format(withoutInput(error.cause.issue)).issues[0]?.message ?? "expected another value"
  )
  const path = refused.path.map(String).join(".")
  if (error.kind !== "Payload") return `${parts[error.kind]} ${path}: ${expected}${refused.got}`
  if (path === "") return `Failed to read request: ${expected}${refused.got}`
  if (refused.missing) return "The list is empty: send at least one value"
  return `Element ${path} of the list (counted from 0): ${expected}${refused.got}`
}

const parts: Record<HttpApiError.HttpApiSchemaError["kind"], string> = {
  Params: "Path value",
  Query: "Query parameter",
  Headers: "Header",
  Payload: "Element",
  Body: "Response body",
  ResponseHeaders: "Response header"
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

interface RefusedValue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly got: string
  readonly missing: boolean
}

// Follows the first issue down to its leaf: the refused value.
const find = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): RefusedValue => {
  const currentPath = issue._tag === "Pointer" ? [...path, ...issue.path] : path
  const nested = "issue" in issue ? issue.issue : "issues" in issue ? issue.issues[0] : undefined
  if (nested !== undefined) return find(nested, currentPath)
  return {
    path: currentPath,
    got: SchemaIssue.hasInput(issue) && issue.input !== undefined ? `, got ${quote(issue.input)}` : "",
    missing: issue._tag === "MissingKey"
  }
}

// Removes the values, because the formatter would write them in full.
const withoutInput = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(issue)), issue)
  delete copy.input
  if ("issue" in issue) copy.issue = withoutInput(issue.issue)
  if ("issues" in issue) copy.issues = issue.issues.map(withoutInput)
  return copy
}

/** Quotes a value for the text of a response. */
export const quote = (value: unknown): string => {
  if (typeof value === "string") return Quote.value(value)
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
