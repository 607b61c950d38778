/**
 * Has memory keep to what is in flight, however much passes by.
 *
 * Records of an answer are views of it, and lie on V8's heap while the answer lies beside it. What lies beside the heap V8
 * lets grow by 64 MiB before it looks for what nobody uses any more, and a process keeps what it once took. So it is
 * asked to look each time that some answers have passed. There is no call for that: what makes it look is a large
 * buffer, which is never written to and so takes no memory.
 */

/** So many bytes pass before V8 is asked again. */
const enough = 10 * 2 ** 20

/** More than V8 lets grow. */
const noticed = 80 * 2 ** 20

let passed = 0

/** An answer of so many bytes is handed on. */
export const pass = (bytes: number): void => {
  passed += bytes
  if (passed < enough) return
  passed = 0
  try {
    new ArrayBuffer(noticed)
  } catch {
    // Where there is so little memory it looks by itself.
  }
}
