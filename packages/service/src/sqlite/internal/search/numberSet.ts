/** A set of small integers, one bit each. */
export class NumberSet {
  private words = new Uint32Array(1024)

  has(n: number): boolean {
    return (((this.words[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1
  }

  /** Adds a number that is not in the set. */
  add(n: number): void {
    const word = n >>> 5
    if (word >= this.words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.words.length * 2))
      grown.set(this.words)
      this.words = grown
    }
    this.words[word] = (this.words[word] as number) | (1 << (n & 31))
  }

  /** Yields the runs of consecutive members as [first, last + 1]. A run has at most `longest` members. */
  *runs(longest: number): Generator<readonly [number, number], void> {
    let first = -1
    for (let word = 0; word <= this.words.length; word++) {
      const bits = this.words[word] ?? 0
      if (bits === 0 && first === -1) continue
      for (let bit = 0; bit < 32; bit++) {
        const n = word * 32 + bit
        const isMember = ((bits >>> bit) & 1) === 1
        if (first !== -1 && (!isMember || n - first === longest)) {
          yield [first, n]
          first = -1
        }
        if (isMember && first === -1) first = n
      }
    }
  }
}
