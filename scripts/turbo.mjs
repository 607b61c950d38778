// `node scripts/turbo.mjs TASK… [OPTIONS of turbo]`: installs missing dependencies, and then runs turbo, which runs the
// tasks of changed packages. After a tier of tests, it prints the counts of the tier.

import { bin } from "./checkout.mjs"
import { deleteReports, printCounts } from "./count.mjs"
import { ensureInstalled } from "./install.mjs"
import { run } from "./run.mjs"

/** The tasks that write test reports, and the names of their tiers. @type {Readonly<Record<string, string>>} */
const tiers = { test: "fast", "test:thorough": "thorough" }

const args = process.argv.slice(2)
const tier = args.some((arg) => arg.startsWith("--dry")) ? undefined : tiers[args[0] ?? ""]
const isSelection = args.some((arg) => /^(--filter|-F|--affected|--$)/.test(arg))

await ensureInstalled()
if (tier !== undefined) deleteReports(tier)
// After a failure, turbo skips only the tasks that depend on the failed one.
const { code } = await run(bin("turbo"), ["run", "--continue=dependencies-successful", ...args])
const failed = tier === undefined ? 0 : printCounts([tier], { isSelection, hasFailed: code !== 0 }).failed
process.exitCode = code === 0 && failed > 0 ? 1 : code
