/**
 * Reports progress on standard error.
 */
export const log = (text: string): void => {
  process.stderr.write(`${text} …\n`)
}
