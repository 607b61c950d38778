// Writes comments of generated files.

/** Wraps a text into the lines of a comment, with this indentation. */
export const comment = (paragraphs: ReadonlyArray<string>, indent = ""): string => {
  const width = 108 - indent.length
  const lines = paragraphs
    .filter((text) => text !== "")
    .flatMap((text, at) => [
      ...(at === 0 ? [] : [""]),
      ...(text.startsWith("@example") ? text.split("\n") : wrap(text, width))
    ])
  if (lines.length === 1 && (lines[0] ?? "").length < width) return `${indent}/** ${lines[0]} */`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n")
}

const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** The first line of every generated file. */
export const mark =
  "// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead."
