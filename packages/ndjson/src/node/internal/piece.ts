/** Of one piece of output of zlib, in bytes. Node's default of 16 KiB costs a round trip to a thread each. */
export const PIECE_BYTES: number = 128 * 1024
