/** The path of a request: as sent, and whether it can be decoded. */

/** Returns the path of a request as sent, without the query. */
export const pathOf = (request: { readonly url: string }): string => {
  const query = request.url.search(/[?#]/)
  return query === -1 ? request.url : request.url.slice(0, query)
}

/**
 * Returns whether a path is valid percent-encoding.
 *
 * The function uses the decoded text, because a bundler would remove an unused call.
 */
export const isDecodable = (path: string): boolean => {
  try {
    return typeof decodeURIComponent(path) === "string"
  } catch {
    return false
  }
}
