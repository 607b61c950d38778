/**
 * Copies raw records that are kept for long, many to one block. A raw record is a view, so keeping it would keep its
 * whole chunk in memory. Other records are kept unchanged.
 */
import * as RawRecord from "../../raw/RawRecord.ts"
import { isRaw } from "./recordFields.ts"

const BLOCK_BYTES = 256 * 1024

/** Copies a raw record. Returns any other record unchanged. */
export const copyOf = <A>(record: A): A =>
  isRaw(record) ? (RawRecord.fromBytes(RawRecord.toBytes(record).slice()) as A) : record

/** Holds the copies of records that are released together, in blocks of memory. */
export class Arena {
  private readonly blocks: Array<Uint8Array> = []
  // The current block, and its used bytes.
  private blockIndex = -1
  private usedBytes = BLOCK_BYTES

  /** Returns the record. A raw record becomes a view of a block. */
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

  /** Releases all records. Their bytes will be overwritten. */
  clear(): void {
    this.blockIndex = -1
    this.usedBytes = BLOCK_BYTES
  }
}
