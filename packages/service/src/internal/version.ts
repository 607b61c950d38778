import { readFileSync } from "node:fs"

/** The version of this package, which the home page and the OpenAPI document name. */
export const version: string = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
).version
