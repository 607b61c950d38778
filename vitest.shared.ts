// The settings of every workspace's tests. A workspace's own `vitest.config.ts` gives its name and what differs.
//
// `vitest run` is the fast tier. `vitest run --mode thorough` runs the campaigns alone (`*.campaign.test.ts`), which read
// their size from CHEMSTREAM_TIER: small in the fast tier, full in the thorough one.

import { fileURLToPath } from "node:url"
import { defineConfig, type ViteUserConfigFnObject } from "vitest/config"

/** Where the processes that tests start share compiled code. */
const compileCache = fileURLToPath(
  new URL("node_modules/.cache/chemstream-checkout/compile", import.meta.url)
)

/** What a workspace may set for itself. */
export interface Settings {
  /** The longest a test may take, in milliseconds. Default: 120,000, in the thorough tier 600,000: a busy machine is slow. */
  readonly testTimeout?: number
  /** The largest number of concurrent tests of a file. Default: 5. */
  readonly maxConcurrency?: number
  /** Whether each test file gets a process of its own. Default: true. */
  readonly isolate?: boolean
  /**
   * Whether the processes that tests start share compiled code, which lets them start sooner. Only for tests
   * whose processes load modules of the checkout: modules in temporary folders would fill the cache. Default: false.
   */
  readonly sharesCode?: boolean
}

/** The configuration of a workspace's tests, whose results go to `reports/` for the closing line of `npm test`. */
export const workspace = (
  name: string,
  { sharesCode = false, ...settings }: Settings = {}
): ViteUserConfigFnObject =>
  defineConfig(({ mode }) => {
    const tier = mode === "thorough" ? "thorough" : "fast"
    return {
      test: {
        name,
        include: [tier === "thorough" ? "test/**/*.campaign.test.ts" : "test/**/*.test.ts"],
        env: { CHEMSTREAM_TIER: tier, ...(sharesCode ? { NODE_COMPILE_CACHE: compileCache } : {}) },
        testTimeout: tier === "thorough" ? 600_000 : 120_000,
        hookTimeout: 120_000,
        maxWorkers: 2,
        // A test that passes only at its second attempt is named UNSTABLE beside the sum: it has a defect to be found.
        retry: 1,
        reporters: ["default", "json"],
        outputFile: { json: `reports/${tier}.json` },
        ...settings
      }
    }
  })
