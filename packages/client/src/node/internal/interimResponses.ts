/** Keeps interim responses that nobody asked for (`100 Continue`, RFC 9110, section 15.2.1) from undici, which takes them for an error. */
import type { Socket } from "node:net"

/** The start of a response that asks for a body that was already sent. */
const continueLine = /^HTTP\/1\.[01] 100[ \r]/

/** Removes `100 Continue` responses in front of each response. A connection has one request at a time. */
export const skipContinue = (socket: Socket): void => {
  if ((socket as { readonly alpnProtocol?: unknown }).alpnProtocol === "h2") return
  const { read, write } = socket
  /** Whether the next bytes begin a response: a request was written since the last one. */
  let isExpected = true
  /** The part of a `100 Continue` that has arrived. */
  let pending = Buffer.alloc(0)
  socket.write = ((...args: Parameters<typeof write>) => {
    isExpected = true
    return write.apply(socket, args)
  }) as typeof write
  socket.read = (size) => {
    const chunk: Buffer | null = read.call(socket, size)
    if (!isExpected || chunk === null) return chunk
    let bytes = Buffer.concat([pending, chunk])
    while (continueLine.test(bytes.toString("latin1", 0, 16))) {
      const end = bytes.indexOf("\r\n\r\n")
      // Of a response that never ends, the parser reports the length of its headers.
      if (end === -1 && bytes.length < longestInterim) {
        pending = bytes
        return null
      }
      if (end === -1) break
      bytes = bytes.subarray(end + 4)
    }
    pending = Buffer.alloc(0)
    if (bytes.length === 0) return socket.read(size)
    isExpected = false
    return bytes
  }
}

/** The longest `100 Continue` with its headers, in bytes. */
const longestInterim = 16 * 1024
