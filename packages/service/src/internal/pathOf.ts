/**
 * The path of a request as it was sent, without the query: that may hold anything, and says nothing about which
 * resource it is.
 */
export const pathOf = (request: { readonly url: string }): string => {
  const query = request.url.search(/[?#;]/)
  return query === -1 ? request.url : request.url.slice(0, query)
}
