/**
 * Collects the changes of one stripe (a range of 65,536 substances, `documentSets.ts`): by gram, the added and removed
 * documents.
 */

const none = new Uint16Array()

/** The changes of one stripe. `start` is the number of its first change in the temporary table. */
export class StripeChanges {
  start: number | undefined
  readonly added = new GramDocuments()
  readonly removed = new GramDocuments()
}

/** The documents of each gram, in order. */
interface DocumentsByGram {
  readonly documentsOf: (gram: number) => Uint16Array
  /** The largest number of a gram plus one. */
  readonly end: number
}

/** Collects documents by gram. They must come in ascending order. */
class GramDocuments {
  private grams = new Uint32Array(1024)
  private documents = new Uint16Array(1024)
  private size = 0
  // By gram: the number of documents, and the last document.
  private counts = new Uint32Array(1024)
  private lasts = new Uint16Array(1024)
  private end = 0

  add(gram: number, document: number): void {
    if (gram >= this.counts.length) {
      const length = Math.max(gram + 1, this.counts.length * 2)
      this.counts = copyInto(this.counts, new Uint32Array(length))
      this.lasts = copyInto(this.lasts, new Uint16Array(length))
    }
    const count = this.counts[gram] as number
    if (count > 0 && this.lasts[gram] === document) return
    if (this.size === this.grams.length) {
      this.grams = copyInto(this.grams, new Uint32Array(this.size * 2))
      this.documents = copyInto(this.documents, new Uint16Array(this.size * 2))
    }
    this.grams[this.size] = gram
    this.documents[this.size++] = document
    this.counts[gram] = count + 1
    this.lasts[gram] = document
    this.end = Math.max(this.end, gram + 1)
  }

  /** Returns the collected documents, and clears them. */
  take(): DocumentsByGram {
    const { documents, end, grams, size } = this
    // Sorts by counting: `ends` begins with the first place of each gram, and ends with the place after its last document.
    const ends = new Uint32Array(end)
    for (let gram = 1; gram < end; gram++) {
      ends[gram] = (ends[gram - 1] as number) + (this.counts[gram - 1] as number)
    }
    const sorted = new Uint16Array(size)
    for (let i = 0; i < size; i++) {
      const gram = grams[i] as number
      sorted[ends[gram] as number] = documents[i] as number
      ends[gram] = (ends[gram] as number) + 1
    }
    this.counts.fill(0, 0, end)
    this.size = 0
    this.end = 0
    return {
      documentsOf: (gram) =>
        gram >= end ? none : sorted.subarray(gram === 0 ? 0 : ends[gram - 1], ends[gram]),
      end
    }
  }
}

const copyInto = <A extends Uint16Array | Uint32Array>(from: A, to: A): A => {
  to.set(from)
  return to
}
