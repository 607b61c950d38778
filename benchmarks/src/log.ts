/**
 * Reports progress on standard error.
 */
export const say = (text: string): void => {
  process.stderr.write(`${text} …\n`)
}
