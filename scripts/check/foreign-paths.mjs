// Looks through the files of the repository for what works on one machine only: the host of a package registry
// (a lock file that names one installs from nowhere else) and absolute paths of somebody's machine.

import { readFileSync } from "node:fs"
import { join } from "node:path"

/** What must not be in a file, and what to do about it. */
const rules = [
  {
    pattern: /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.(?:org|com)\b/,
    advice: "names a registry host; leave the registry to each user's npm configuration"
  },
  {
    pattern: /(?<![\w.~$}*)\]-])\/(?:work|home|root|Users)\/[\w.-]/,
    advice: "holds an absolute path of one machine; make it relative"
  }
]

/** The offending lines of one text, as `FILE:LINE advice`.
 * @param {string} file @param {string} text @returns {ReadonlyArray<string>} */
export const findings = (file, text) =>
  text
    .split("\n")
    .flatMap((line, index) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ advice }) => `${file}:${index + 1} ${advice}`)
    )

/** Findings of many files below a folder; binary files are left out.
 * @param {string} folder @param {ReadonlyArray<string>} files */
export const findingsOf = (folder, files) =>
  files.flatMap((file) => {
    const content = readFileSync(join(folder, file))
    return content.includes(0) ? [] : findings(file, content.toString("utf8"))
  })
