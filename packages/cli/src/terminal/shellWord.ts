/** Returns a text as one word of a POSIX shell, with quotes if it needs some: `Bisphenol A` becomes `'Bisphenol A'`. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
