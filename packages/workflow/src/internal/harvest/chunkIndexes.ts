/** Returns the numbers of the chunks of a harvest: 0 to `chunks - 1`. */
export const chunkIndexes = (chunks: number): ReadonlyArray<number> =>
  Array.from({ length: chunks }, (_, index) => index)
