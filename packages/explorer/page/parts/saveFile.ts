/** Downloads parts as a file. */
export const saveFile = (name: string, type: string, parts: ReadonlyArray<BlobPart>): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser reads the URL while it handles the click, so it is revoked after that.
  setTimeout(() => URL.revokeObjectURL(url))
}
