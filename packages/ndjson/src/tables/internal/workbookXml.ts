/**
 * Changes the XML of a workbook (.xlsx), so that the library reads all of it: error cells become marked text, because the library leaves
 * them out, and rows and cells get the places that a program may leave out.
 */

/** Marks the text of an error. The first character is for private use, so no text of a cell begins like this. */
export const errorMark = "\ue000error:"

/** The value of an error cell: `<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>`, with the type before and the value in the middle. */
const errorCell =
  /(<(?:\w+:)?c\b[^>]*\bt=)"e"([^>]*>(?:<(?:\w+:)?f\b[^>]*?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?<(?:\w+:)?v>)([^<]*)/g

/**
 * Returns the workbook with places and marked errors in its sheets. The files of the archive are no longer compressed, because the library
 * decompresses large ones in a worker, which the policy of a page may forbid.
 */
export const repack = async (bytes: Uint8Array): Promise<ArrayBuffer> => {
  const { strFromU8, strToU8, unzipSync, zipSync } = await import("fflate")
  let files: ReturnType<typeof unzipSync>
  try {
    files = unzipSync(bytes, { filter: ({ name }) => /\.(xml|rels)$/.test(name) })
  } catch {
    // The library says what is wrong with the file.
    return bytes.slice().buffer
  }
  for (const [path, content] of Object.entries(files)) {
    if (!/worksheets\/[^/]+\.xml$/.test(path)) continue
    const text = strFromU8(content)
    const marked = withPlaces(text).replace(errorCell, `$1"str"$2${errorMark}$3`)
    if (marked !== text) files[path] = strToU8(marked)
  }
  return zipSync(files, { level: 0 }).slice().buffer
}

/** Matches the start of a row or of a cell. */
const place = /<((?:\w+:)?(row|c))(?=[\s/>])([^>]*)/g

/** Writes the places of rows and cells, which a program may leave out: each is then beside the one before it. */
const withPlaces = (xml: string): string => {
  let row = 0
  let column = 0
  return xml.replace(place, (tag, name: string, kind: string, rest: string) => {
    const [, given] = /\sr=["']([^"']*)/.exec(rest) ?? []
    if (kind === "row") {
      row = given === undefined ? row + 1 : Number(given)
      column = 0
    } else column = given === undefined ? column + 1 : columnNumber(given)
    return given !== undefined
      ? tag
      : `<${name} r="${kind === "row" ? "" : columnLetters(column)}${row}"${rest}`
  })
}

const columnNumber = (cell: string): number =>
  cell
    .replace(/\d+$/, "")
    .split("")
    .reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

const columnLetters = (column: number): string =>
  column === 0
    ? ""
    : columnLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))
