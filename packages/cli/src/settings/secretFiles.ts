/**
 * Reads secrets from the files that variables name, as containers and systemd give them: `CHEMSTREAM_API_KEY_FILE` is the file
 * of `CHEMSTREAM_API_KEY`.
 */
import { readFileSync } from "node:fs"
import { reasonOf, usageFailure } from "../CommandFailure.ts"
import {
  apiKeysVariable,
  apiKeyVariable,
  databaseVariable,
  mcpTokenVariable
} from "./environmentVariables.ts"

/** The variables that may have a file. Tables in Postgres need `PGPASSWORD`. */
export const variables = [
  apiKeyVariable,
  databaseVariable,
  apiKeysVariable,
  mcpTokenVariable,
  "PGPASSWORD"
] as const

/** Sets each variable whose file is given. Throws the failure of the command. */
export const read = (env: NodeJS.ProcessEnv): void => {
  for (const name of variables) {
    const file = env[`${name}_FILE`]
    if (file === undefined) continue
    if (env[name] !== undefined) throw usageFailure(`${name} and ${name}_FILE are both set: unset one`)
    try {
      env[name] = readFileSync(file, "utf8").trim()
    } catch (cause) {
      throw usageFailure(`cannot read ${name}_FILE: ${reasonOf(cause)}`)
    }
    if (env[name] === "") throw usageFailure(`${name}_FILE is empty: ${file}`)
  }
}
