/**
 * Has memory keep to what is in flight, however much passes by.
 *
 * Records of an answer are views of it, and lie on V8's heap while the answer lies beside it. What lies beside the heap V8
 * lets grow by 64 MiB before it looks for what nobody uses any more, and a process keeps what it once took. So it is
 * asked to look each time that some answers have passed. There is no call for that: what makes it look is a large
 * buffer, which is never written to and so takes no memory.
 *
 * A buffer of more than half of what its heap may become has it look at once, and give back what it keeps in reserve.
 * After a smaller one it looks by and by: meanwhile answers gather, and more CPU time goes into it.
 */

/** So many bytes pass before V8 is asked again. */
const enough = 40 * 2 ** 20

/** More than half of V8's heap, which is 4 GiB at most unless it is told otherwise. */
const noticed = 3 * 2 ** 30

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
