/**
 * Reads the body of an answer into one buffer of its known length, and gives each piece that came back at once.
 *
 * A body otherwise lies in memory twice, as pieces and as a whole, until the garbage collector comes by; and that counts
 * buffers only when they are many tens of megabytes. Which body may be read whole is `readBody`'s.
 */
import { finished, type Readable } from "node:stream"
import type { Dispatcher } from "@effect/platform-node/Undici"

/** As much as comes in one piece from a socket: shorter bodies are not worth the effort. */
const onePiece = 65_536

/** Makes the answers of a dispatcher read their bodies so, where they say that those are long. */
export const readingWhole = <D extends Dispatcher>(dispatcher: D): D => {
  const request = dispatcher.request.bind(dispatcher)
  return Object.assign(dispatcher, {
    request: async (options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> => {
      const response = await request(options)
      const length = Number(response.headers["content-length"] ?? Number.NaN)
      if (length > onePiece) response.body.arrayBuffer = () => whole(response.body, length)
      return response
    }
  })
}

const whole = (body: Readable, length: number): Promise<ArrayBuffer> => {
  const { promise, reject, resolve } = Promise.withResolvers<ArrayBuffer>()
  // Undici's objects for a request live longer than it, and these listeners with them: not so what is held here.
  let held: Held | undefined = {
    bytes: new Uint8Array(Buffer.allocUnsafeSlow(length).buffer),
    resolve,
    reject
  }
  let at = 0
  let last: Buffer | undefined
  body.on("data", (piece: Buffer) => {
    held?.bytes.set(piece, at)
    at += piece.length
    // Not the piece at hand: the parser is not through with it.
    free(last)
    last = piece
  })
  finished(body, { writable: false }, (error) => {
    free(last)
    last = undefined
    const done = held
    held = undefined
    if (error == null) done?.resolve(done.bytes.buffer)
    else done?.reject(error)
  })
  return promise
}

/** What is held of a body until its end. */
interface Held {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly resolve: (bytes: ArrayBuffer) => void
  readonly reject: (error: unknown) => void
}

/** Frees the memory of a piece that is all of its buffer: then nobody else has a part of it. */
const free = (piece: Buffer | undefined): void => {
  if (piece !== undefined && piece.length === piece.buffer.byteLength)
    (piece.buffer as ArrayBuffer).transfer(0)
}
