/**
 * Counts the lines of an input that ask for nothing: blank ones, comments, and lines of `--errors` that are not asked for again.
 *
 * Blank lines are left out before anybody reads them: they are what is missing between the numbers of the others.
 */

const LF = 0x0a

export class LineTally {
  blank = 0
  comments = 0
  outcomes = 0
  /** The last line that was looked at. */
  #last = 0
  #breaks = 0
  #endsOpen = false

  /** Takes bytes of the input. */
  bytes(chunk: Uint8Array): void {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.#breaks++
    if (chunk.length > 0) this.#endsOpen = chunk[chunk.length - 1] !== LF
  }

  /** Takes a line that is not blank. */
  line(number: number): void {
    this.blank += number - this.#last - 1
    this.#last = number
  }

  /** Takes the text of such a line that turned out to hold no value. */
  without(text: string): void {
    if (text.startsWith("#")) this.comments++
    else this.blank++
  }

  /** The input has ended. */
  end(): void {
    this.line(this.#breaks + (this.#endsOpen ? 1 : 0) + 1)
  }
}
