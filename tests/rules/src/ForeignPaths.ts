// Finds text that works on one machine only: an absolute path below a home or working folder, and the host of a package
// registry. A lock file with a host installs from that host only.

/** A pattern that no file may contain, with advice for its author. */
interface Rule {
  readonly pattern: RegExp
  readonly advice: string
}

const rules: ReadonlyArray<Rule> = [
  {
    pattern: /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.(?:org|com)\b/,
    advice: "names a registry host; leave the registry to each user's npm configuration"
  },
  {
    pattern: /(?<![\w.~$}*)\]-])\/(?:work|home|root|Users)\/[\w.-]/,
    advice: "contains an absolute path of one machine; make it relative"
  }
]

/** Returns the offending lines of one text, as `FILE:LINE advice`. */
export const findings = (file: string, text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line, index) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ advice }) => `${file}:${index + 1} ${advice}`)
    )
