/**
 * The encoding of an input: UTF-8 is read. UTF-16, which says so by its byte-order mark, is refused, for no line of it
 * could be an identifier; of other bytes that are no UTF-8 the person is told, since most lines are ASCII whatever the
 * encoding.
 */
import { isUtf8 } from "node:buffer"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import * as Bar from "./bar.ts"
import { type CommandFailure, usage } from "./CommandFailure.ts"

const REPLACEMENT = "\uFFFD"

/** The same bytes, which fail where they begin as UTF-16 does. `source` is what they are called. */
export const refuseUtf16 =
  (source: string) =>
  <R>(bytes: Stream.Stream<Uint8Array, CommandFailure, R>): Stream.Stream<Uint8Array, CommandFailure, R> =>
    Stream.suspend(() => {
      const head: Array<number> = []
      return Stream.mapEffect(bytes, (chunk) => {
        if (head.length < 2) head.push(...chunk.subarray(0, 2 - head.length))
        return isUtf16(head) ? Effect.fail(usage(needsUtf8(source))) : Effect.succeed(chunk)
      })
    })

/** To be called with each line and its text: says once that a line is no UTF-8. */
export const warner = (): ((line: number, record: RawRecord.RawRecord, text: string) => void) => {
  let isSaid = false
  return (line, record, text) => {
    if (isSaid || !text.includes(REPLACEMENT) || isUtf8(RawRecord.toBytes(record))) return
    isSaid = true
    Bar.say(
      `chemstream: warning: line ${line} of the input is no UTF-8, and what cannot be read in it and later ones becomes ${REPLACEMENT}; of a file in Windows-1252 or Latin-1, make one with iconv -f WINDOWS-1252 -t UTF-8\n`
    )
  }
}

const isUtf16 = ([first, second]: ReadonlyArray<number>): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const needsUtf8 = (source: string): string =>
  `cannot read ${source}: it is in UTF-16, and must be in UTF-8: save it as "CSV UTF-8" (Excel's "Unicode Text" is UTF-16), or convert it with iconv -f UTF-16 -t UTF-8`
