/**
 * Checks that an input is UTF-8. Another encoding is refused with the command that converts it, because a name with a
 * damaged letter would be looked up as another name. `foreignFormats.ts` refuses UTF-16 with the same advice.
 */
import { isUtf8 } from "node:buffer"
import { Effect, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { shellWord } from "../terminal/shellWord.ts"

const LF = 0x0a

/** The most bytes of an incomplete character at the end of a chunk. */
const longestRest = 3

/** Passes bytes on, and fails at the first line that is not UTF-8. `source` is their name in messages. */
export const requireUtf8 =
  (source: string) =>
  <R>(bytes: Stream.Stream<Uint8Array, CommandFailure, R>): Stream.Stream<Uint8Array, CommandFailure, R> =>
    Stream.suspend(() => {
      let lines = 0
      let rest: Uint8Array = new Uint8Array()
      const refuse = (text: Uint8Array): CommandFailure =>
        usageFailure(notUtf8(source, lines + firstBadLine(text)))
      return bytes.pipe(
        Stream.mapEffect((chunk) => {
          const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
          const end = endOfCharacters(text)
          const whole = text.subarray(0, end)
          rest = text.subarray(end)
          if (!isUtf8(whole)) return Effect.fail(refuse(whole))
          for (let at = whole.indexOf(LF); at !== -1; at = whole.indexOf(LF, at + 1)) lines++
          return Effect.succeed(chunk)
        }),
        Stream.concat(Stream.suspend(() => (rest.length === 0 ? Stream.empty : Stream.fail(refuse(rest)))))
      )
    })

/** Returns the offset of an incomplete last character, or the length if the bytes end with a whole one. */
const endOfCharacters = (text: Uint8Array): number => {
  for (let back = 1; back <= Math.min(longestRest, text.length); back++) {
    const byte = text[text.length - back] ?? 0
    // ASCII is whole.
    if (byte < 0x80) break
    // The first byte of a character gives its length.
    if (byte >= 0xc0)
      return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? text.length - back : text.length
  }
  return text.length
}

/** The number of the first line that is not UTF-8, from 1. */
const firstBadLine = (text: Uint8Array): number => {
  let line = 1
  let start = 0
  for (;;) {
    const end = text.indexOf(LF, start)
    if (end === -1 || !isUtf8(text.subarray(start, end))) return line
    start = end + 1
    line++
  }
}

const notUtf8 = (source: string, line: number): string =>
  `cannot read ${source}: line ${line} is not UTF-8. ${conversionHint(source, "WINDOWS-1252")}`

/** Returns the command that converts an input to UTF-8. */
export const conversionHint = (source: string, from: string): string =>
  source === standardInputName
    ? `Convert it: … | iconv -f ${from} -t UTF-8 | chemstream …`
    : `Convert it: iconv -f ${from} -t UTF-8 ${shellWord(source)} > ${shellWord(`utf8-${source.replace(/^.*\//, "")}`)}`

/** The name of standard input in messages. */
export const standardInputName = "standard input"
