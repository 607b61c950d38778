/**
 * A codec as a Node stream, for `pipeline` and `pipe`.
 *
 * Both sides are in object mode: values are items, and so are pieces of bytes. Lines of values that come in one turn of
 * the event loop are written in one piece. Codecs are `Codec`'s.
 */
import { Transform } from "node:stream"
import type { Codec } from "../Codec.ts"
import { steps } from "../internal/steps.ts"

/** A line that holds `null` alone: an item that Node streams cannot carry, for it means their end. */
export class NullItemError extends TypeError {
  override readonly name: string = "NullItemError"

  constructor() {
    super(
      "A value null cannot be an item of a Node stream. Decode such lines with Codec.decodeRaw or decodeResults, or with Codec.iterateAsync"
    )
  }
}

/**
 * A codec as a `Transform`. An error of the codec destroys it, after what was complete before it has been pushed; what a
 * reader has not taken by then is lost with it, as Node has it (`Codec.iterateAsync` loses nothing).
 *
 * @example
 * ```ts
 * import { Readable } from "node:stream"
 * import { text } from "node:stream/consumers"
 * import { Codec } from "@chemstream/ndjson"
 * import { NodeStream } from "@chemstream/ndjson/node"
 *
 * const lines = Readable.from([{ id: 1 }, { id: 2 }]).pipe(NodeStream.transform(Codec.encode()))
 * await text(lines) // => '{"id":1}\n{"id":2}\n'
 * ```
 */
export const transform = <In, Out, Err extends Error>(codec: Codec<In, Out, Err>): Transform => {
  const run = steps(codec)
  const emit = (to: Transform, out: ReadonlyArray<Out>): Error | undefined => {
    for (const item of out) {
      if (item === null) return new NullItemError()
      to.push(item)
    }
    return run.failure?.error
  }
  let soon: NodeJS.Immediate | undefined
  return new Transform({
    objectMode: true,
    transform(this: Transform, input: In, _encoding, callback) {
      const failed = emit(this, run.push(input))
      soon ??= setImmediate(() => {
        soon = undefined
        emit(this, run.flush())
      })
      callback(failed)
    },
    flush(this: Transform, callback) {
      clearImmediate(soon)
      callback(emit(this, run.end()))
    },
    destroy(error, callback) {
      clearImmediate(soon)
      callback(error)
    }
  })
}
