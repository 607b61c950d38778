// Gives each test a database of its own on one Postgres of its file, which starts with the first test that needs it.
// Where no Postgres can run, these tests are skipped, and their count and the reason are in the report.
import { afterAll, type TestContext } from "vitest"
import * as Postgres from "./postgres.ts"

export type { Postgres } from "./postgres.ts"

let starting: Promise<Postgres.Postgres> | undefined
let databases = 0

afterAll(async () => {
  const server = await starting?.catch(() => undefined)
  await server?.stop()
}, 120_000)

/**
 * Returns an empty database for an attempt of a test, or skips the test with the reason why no Postgres can run here. So
 * what an attempt leaves, such as workers after its time limit, cannot reach another one.
 */
export const forTest = async ({ skip }: Pick<TestContext, "skip">): Promise<Postgres.Postgres> => {
  starting ??= Postgres.start()
  const server = await starting.catch((error: Error) => skip(error.message))
  return server.withDatabase(`test_${++databases}`)
}
