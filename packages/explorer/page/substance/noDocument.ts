/** Replaces the library that provides a document in Node, because the page has a document. */
export const parseHTML = (): never => {
  throw new Error("the page draws in its own document")
}
