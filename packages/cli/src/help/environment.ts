/**
 * The environment variables of the command, for help and the man page.
 */
import type { HelpDoc } from "effect/cli"
import {
  apiKeysVariable,
  apiKeyVariable,
  baseUrlVariable,
  databaseVariable,
  dialectVariable,
  mcpTokenVariable
} from "../settings/environmentVariables.ts"
import { variables as secretVariables } from "../settings/secretFiles.ts"
import { variable as logVariable } from "../terminal/jsonLog.ts"

/** A variable, and the commands that read it: the commands with this option, or below this command. */
interface Variable {
  readonly name: string
  readonly text: string
  readonly option?: string
  readonly below?: string
}

/** The variables, in the order of help. */
export const variables: ReadonlyArray<Variable> = [
  { name: baseUrlVariable, text: "The URL of the service, if --base-url is not given", option: "base-url" },
  { name: apiKeyVariable, text: "The API key, if --api-key-file is not given", option: "api-key-file" },
  {
    name: dialectVariable,
    text: "The dialect of the service, if --dialect is not given",
    option: "base-url"
  },
  {
    name: databaseVariable,
    text: "The database of harvests, if --database is not given: a SQLite file, or postgres://… with its password",
    option: "database",
    below: "harvest"
  },
  {
    name: apiKeysVariable,
    text: "The keys that serve accepts, separated by commas or lines",
    option: "api-keys-file"
  },
  {
    name: mcpTokenVariable,
    text: "The bearer token of mcp --http, at least 16 characters [default: a new one, which is printed]",
    option: "http"
  },
  {
    name: "NAME_FILE",
    text: `The file of a secret, instead of the variable NAME: ${secretVariables.join(", ")}`
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    text: "The OpenTelemetry collector for spans, metrics and log messages; the other OTEL_ variables apply, too",
    option: "metrics-file"
  },
  {
    name: "HTTPS_PROXY",
    text: "The proxy to an https: service; HTTP_PROXY is for an http: service",
    option: "base-url"
  },
  { name: "NO_PROXY", text: "The hosts to reach without a proxy", option: "base-url" },
  { name: logVariable, text: "The form of messages, if --log is not given: text or json" },
  {
    name: "TRACEPARENT",
    text: "The trace of a scheduler, as W3C writes it, for --log json and OpenTelemetry"
  },
  { name: "CI", text: "No progress bar if it is set; --progress plain writes lines", option: "progress" },
  { name: "TERM", text: "No progress bar if the value is dumb", option: "progress" },
  { name: "NO_COLOR", text: "No colours if it is set" },
  { name: "XDG_CONFIG_HOME", text: "The folder of the settings of chemstream config [default: ~/.config]" },
  { name: "XDG_CACHE_HOME", text: "The folder of compiled code, for a faster start [default: ~/.cache]" }
]

/** Returns the variables of a command, or all of them for the root. */
export const of = ({ commandPath = [], flags, subcommands }: HelpDoc.HelpDoc): ReadonlyArray<Variable> => {
  if (commandPath.length <= 1) return variables
  if (subcommands !== undefined) return []
  return variables.filter(
    ({ below, option }) =>
      option !== undefined &&
      flags.some(({ name }) => name === option) &&
      (below === undefined || commandPath[1] === below)
  )
}
