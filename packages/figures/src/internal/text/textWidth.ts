/**
 * The font of pictures, and the width of its texts, which is estimated because no font is loaded. Lengths are in pixels; `em` is
 * the size of the text.
 */

/** Common fonts, with a generic one at the end. */
export const font = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

/** Returns about the width of a text in DejaVu Sans, which is wider than most fonts. Without a browser, no font is known. */
export const textWidth = (text: string, em: number): number => {
  let width = 0
  for (const character of text) {
    if (/[ijlI.,:;'|! ]/.test(character)) width += 0.31
    else if (/[frt()[\]/-]/.test(character)) width += 0.4
    else if (/[mwMW@%]/.test(character)) width += 0.93
    else width += /[A-Z]/.test(character) ? 0.69 : 0.62
  }
  return width * em
}

/** Shortens a text to a width, with an ellipsis at the end. */
export const shorten = (text: string, width: number, em: number): string => {
  if (textWidth(text, em) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && textWidth(`${characters.join("")}…`, em) > width) characters.pop()
  return `${characters.join("").trimEnd()}…`
}
