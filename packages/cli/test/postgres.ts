/** The Postgres of a test file. It starts with the first test that needs it, and stops after the last one. */
import * as Postgres from "../../workflow/test/postgres.ts"
import { cleanUp } from "./process.ts"

let server: Promise<Postgres.Postgres> | undefined

export const startServer = (): Promise<Postgres.Postgres> => {
  server ??= Postgres.start().then((started) => {
    cleanUp(started.stop)
    return started
  })
  return server
}
