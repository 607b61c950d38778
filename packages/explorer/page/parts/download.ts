/** Hands a text to the person as a file. */
export const download = (name: string, type: string, parts: ReadonlyArray<BlobPart>): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the file up when the click is handled; a later turn is soon enough to let it go.
  setTimeout(() => URL.revokeObjectURL(url))
}
