/** Replaces the library that provides a document in Node: the page has its own document. */
export const parseHTML = (): never => {
  throw new Error("a page draws in its own document")
}
