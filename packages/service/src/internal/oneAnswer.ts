/**
 * Bytes that are made for one answer and nothing else: their memory may be given back as soon as that is sent (`freed`).
 * Whoever makes them says so; all other bytes may be sent again.
 */

// Shorter ones are not worth it.
const shortest = 16 * 1024

const once = new WeakSet<Uint8Array>()

/** Says that bytes are made for one answer, after which nobody reads them. Gives them back. */
export const forOneAnswer = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
  // A part of a buffer may have neighbours.
  if (bytes.length >= shortest && bytes.length === bytes.buffer.byteLength) once.add(bytes)
  return bytes
}

/** Whether bytes are made for one answer. */
export const isForOneAnswer = (bytes: Uint8Array): boolean => once.has(bytes)
