/**
 * Keeps raw records for long: a raw record is a view that holds the whole chunk it was cut from in memory, so its text is
 * copied, many texts to one block. Other records are kept as they are.
 */
import * as RawRecord from "../../raw/RawRecord.ts"
import { isRaw } from "./record.ts"

const BLOCK_BYTES = 256 * 1024

/** A raw record in bytes of its own; another record as it is. */
const copyOf = <A>(record: A): A =>
  isRaw(record) ? (RawRecord.fromBytes(RawRecord.toBytes(record).slice()) as A) : record

/** Copies of raw records that belong together and are let go together. */
export class Arena {
  private readonly blocks: Array<Uint8Array> = []
  // The block written to, and how much of it is.
  private blockIndex = -1
  private usedBytes = BLOCK_BYTES

  /** The record, as a view of a block of this arena if it is raw. */
  keep<A>(record: A): A {
    if (!isRaw(record)) return record
    const size = record.end - record.start
    if (size > BLOCK_BYTES / 4) return copyOf(record)
    if (this.usedBytes + size > BLOCK_BYTES) {
      this.usedBytes = 0
      if (++this.blockIndex === this.blocks.length) this.blocks.push(new Uint8Array(BLOCK_BYTES))
    }
    const block = this.blocks[this.blockIndex] as Uint8Array
    const start = this.usedBytes
    block.set(RawRecord.toBytes(record), start)
    this.usedBytes += size
    return RawRecord.make(block, start, this.usedBytes) as A
  }

  /** Lets all records go: their bytes will be written over. */
  clear(): void {
    this.blockIndex = -1
    this.usedBytes = BLOCK_BYTES
  }
}
