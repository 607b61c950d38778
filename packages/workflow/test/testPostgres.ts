// Gives a test file one Postgres, which starts with the first test that needs it. Where no Postgres can run, these tests
// are skipped, and their count and the reason are in the report.
import { afterAll, type TestContext } from "vitest"
import * as Postgres from "./postgres.ts"

export type { Postgres } from "./postgres.ts"

let starting: Promise<Postgres.Postgres> | undefined

afterAll(async () => {
  const server = await starting?.catch(() => undefined)
  await server?.stop()
}, 120_000)

/** Returns the Postgres of the file, or skips a test with the reason why it cannot run here. */
export const forTest = async ({ skip }: Pick<TestContext, "skip">): Promise<Postgres.Postgres> => {
  starting ??= Postgres.start()
  return starting.catch((error: Error) => skip(error.message))
}
