/**
 * Tells on standard error what is being done.
 */
export const say = (text: string): void => {
  process.stderr.write(`${text} …\n`)
}
