/**
 * The path of a request as it was sent, without the query: that may hold anything, and says nothing about which
 * resource it is.
 */
export const pathOf = (request: { readonly url: string }): string => {
  const query = request.url.search(/[?#]/)
  return query === -1 ? request.url : request.url.slice(0, query)
}

/**
 * Whether a path is valid percent-encoding. What it gives is looked at: a bundler leaves a call out that is made for what
 * it throws alone.
 */
export const isDecodable = (path: string): boolean => {
  try {
    return typeof decodeURIComponent(path) === "string"
  } catch {
    return false
  }
}
