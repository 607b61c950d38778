// `node scripts/turbo.mjs TASK… [turbo's options]`: installs what is missing, then hands over to turbo, which builds and
// runs what changed. After a tier of tests it prints the counts of that tier.

import { bin } from "./checkout.mjs"
import { deleteReports, printCounts } from "./count.mjs"
import { ensureInstalled } from "./install.mjs"
import { run } from "./run.mjs"

/** The tasks that leave test reports, and the name of their tier. @type {Readonly<Record<string, string>>} */
const tiers = { test: "fast", "test:thorough": "thorough" }

const args = process.argv.slice(2)
const tier = args.some((arg) => arg.startsWith("--dry")) ? undefined : tiers[args[0] ?? ""]
const isSelection = args.some((arg) => /^(--filter|-F|--affected|--$)/.test(arg))

await ensureInstalled()
if (tier !== undefined) deleteReports(tier)
// A task whose dependency failed is not run; all others are.
const { code } = await run(bin("turbo"), ["run", "--continue=dependencies-successful", ...args])
const failed = tier === undefined ? 0 : printCounts([tier], { isSelection, hasFailed: code !== 0 }).failed
process.exitCode = code === 0 && failed > 0 ? 1 : code
