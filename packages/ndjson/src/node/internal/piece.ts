/** The size of a piece of zlib output, in bytes. Node's default of 16 KiB needs more round trips to the thread. */
export const PIECE_BYTES: number = 128 * 1024
