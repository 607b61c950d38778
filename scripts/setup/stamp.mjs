// Remembers under node_modules what a step was last done for, so that a second run can skip it.
// A stamp is removed before its step starts and written after it succeeded: a failed step is never current.

import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { cacheFolder, root } from "./checkout.mjs"

/** @param {string} step @param {string} value */
export const isCurrent = (step, value) => {
  try {
    return readFileSync(join(cacheFolder, `${step}.stamp`), "utf8") === value
  } catch {
    return false
  }
}

/** @param {string} step */
export const remove = (step) => rmSync(join(cacheFolder, `${step}.stamp`), { force: true })

/** @param {string} step @param {string} value */
export const write = (step, value) => {
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(join(cacheFolder, `${step}.stamp`), value)
}

/** A hash of the contents of files: for few and small ones.
 * @param {ReadonlyArray<string>} paths @param {ReadonlyArray<string>} more */
export const ofContents = (paths, more) => {
  const hash = createHash("sha256")
  for (const part of more) hash.update(`${part}\0`)
  for (const path of paths)
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0")
  return hash.digest("hex")
}

/**
 * A hash of name, size and time of change of files, and of all files below folders: for many or large ones.
 * A false alarm costs a run of the step; folders called as in `skip` are left out.
 * @param {ReadonlyArray<string>} paths @param {ReadonlySet<string>} skip
 */
export const ofTimes = (paths, skip) => {
  const hash = createHash("sha256")
  /** @param {string} path */
  const add = (path) => {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) {
      hash.update(`${relative(root, path)}\0${stat.size}\0${stat.mtimeMs}\0`)
      return
    }
    for (const name of readdirSync(path).sort()) if (!skip.has(name)) add(join(path, name))
  }
  for (const path of paths) add(path)
  return hash.digest("hex")
}
