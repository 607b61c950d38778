/**
 * Counts the lines of an input without a value: blank lines, comments, and lines of an errors file that are not requested again.
 *
 * The reader drops blank lines, so they are counted by the gaps between line numbers.
 */

const LF = 0x0a

export class LineTally {
  blank = 0
  comments = 0
  /** The lines of an errors file whose outcome is not requested again. */
  outcomes = 0
  /** The last counted line. */
  #last = 0
  /** The line feeds so far. */
  #breaks = 0
  /** Whether the last line has no line feed yet. */
  #endsOpen = false

  /** Adds bytes of the input. */
  addBytes(chunk: Uint8Array): void {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.#breaks++
    if (chunk.length > 0) this.#endsOpen = chunk[chunk.length - 1] !== LF
  }

  /** Adds a line that is not blank. */
  addLine(number: number): void {
    this.blank += number - this.#last - 1
    this.#last = number
  }

  /** Marks the end of the input. */
  end(): void {
    this.addLine(this.#breaks + (this.#endsOpen ? 1 : 0) + 1)
  }
}
