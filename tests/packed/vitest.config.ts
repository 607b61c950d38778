import { defineConfig, mergeConfig } from "vitest/config"
import { workspace } from "../../vitest.shared.ts"

/** How long a test or a hook may take, in milliseconds: npm writes up to 150 MB for one of them. */
const timeout = 300_000

const shared = workspace("@chemstream/tests-packed", { testTimeout: timeout })

export default defineConfig((env) =>
  mergeConfig(shared(env), { test: { globalSetup: "src/globalSetup.ts", hookTimeout: timeout } })
)
