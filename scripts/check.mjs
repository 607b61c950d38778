// `npm run check`: everything about the checkout that is no test. Types, lint and format, the built command, and
// each public package as its users get it. All checks run, two at a time; each says one line, and its output on failure.
// Sets up first. Needs the npm registry only for what npm does not have in its cache.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { findingsOf } from "./check/foreign-paths.mjs"
import * as Packed from "./check/packed.mjs"
import { ensureBuilt } from "./setup/build.mjs"
import { bin, contained, nodePath, pinnedPnpm, readManifest, root, workspaces } from "./setup/checkout.mjs"
import { Interrupted } from "./setup/child.mjs"
import { ensureInstalled } from "./setup/install.mjs"
import { seconds, stop } from "./setup/message.mjs"

/** The checks compile, lint and install: more at a time than this only makes them wait for each other. */
const atOnce = 2

/** @typedef {{ title: string, run: () => Promise<void> }} Check */

/** @type {Check} */
const build = {
  title: "build",
  run: async () => {
    await ensureBuilt()
  }
}

/** @type {ReadonlyArray<Check>} */
const ofTheCheckout = [
  {
    title: "types",
    run: async () => {
      await Packed.succeed(bin("tsc"), ["-b"], root)
    }
  },
  {
    title: "lint and format",
    run: async () => {
      await Packed.succeed(
        bin("biome"),
        ["ci", "--colors=off", "--error-on-warnings", "."],
        root,
        contained()
      )
    }
  },
  {
    title: "chemstream starts from dist",
    run: async () => {
      const folder = join(root, "packages", "cli")
      const version = readManifest(folder).version ?? ""
      const args = [join(folder, "bin", "chemstream.js"), "--version"]
      const text = await Packed.succeed(nodePath, args, root, contained())
      if (!text.split(/\s+/).includes(version) && !text.split(/\s+/).includes(`v${version}`)) {
        throw new Error(`\`chemstream --version\` must print ${version}, and printed:\n${text}`)
      }
    }
  },
  {
    title: "no registry host, no path of one machine",
    run: async () => {
      const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
      const listed = await Packed.succeed("git", args, root)
      const files = listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)))
      const found = findingsOf(root, files)
      if (found.length > 0) throw new Error(found.join("\n"))
    }
  },
  {
    title: "the pnpm pin is the installed pnpm",
    run: async () => {
      const installed = readManifest(root).devDependencies?.["pnpm"]
      if (installed !== pinnedPnpm()) {
        throw new Error(
          `package.json: packageManager pins ${pinnedPnpm()}, devDependencies.pnpm is ${installed}.`
        )
      }
    }
  }
]

/** @param {Check} check @returns {Promise<boolean>} whether it passed */
const report = async (check) => {
  const started = performance.now()
  try {
    await check.run()
    process.stdout.write(`ok    ${check.title} (${seconds(started)})\n`)
    return true
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const text = error instanceof Error ? error.message : String(error)
    process.stdout.write(`FAIL  ${check.title} (${seconds(started)})\n${text.replace(/^/gm, "      ")}\n`)
    return false
  }
}

/** @param {ReadonlyArray<Check>} checks */
const reportAll = async (checks) => {
  const waiting = [...checks]
  /** @type {Array<boolean>} */
  const passed = []
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      passed.push(await report(check))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return passed
}

await ensureInstalled().catch(stop)
const packed = Packed.checksOf(workspaces().filter(({ manifest }) => manifest.private !== true))
process.on("exit", packed.dispose)
try {
  // The build comes alone: the others read what it writes.
  const passed = [await report(build), ...(await reportAll([...ofTheCheckout, ...packed.checks]))]
  const failed = passed.filter((one) => !one).length
  process.stdout.write(`${passed.length - failed} checks passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  stop(error)
}
