/**
 * The API key of this tab: asked for once, or had for the token of a one-time link, and kept in session storage.
 */
const item = "chemstream-api-key"

/** The key of this tab; null where none was given. */
export const key = (): string | null => sessionStorage.getItem(item)

/** Keeps a key until the tab is closed. */
export const keep = (key: string): void => sessionStorage.setItem(item, key)

/** Forgets the key. */
export const forget = (): void => sessionStorage.removeItem(item)

const linkForm = /^#\/open\/([\w-]+)$/

/**
 * Exchanges the token of a one-time link for a key, which is kept. The address loses the token at once, so that it is in
 * no history. False where the link was used before.
 */
export const openLink = async (baseUrl: string): Promise<boolean> => {
  const [, token] = linkForm.exec(location.hash) ?? []
  if (token === undefined) return true
  history.replaceState(null, "", "#/")
  const response = await fetch(`${baseUrl}/explorer/key`, { method: "POST", body: token })
  if (!response.ok) return false
  keep(await response.text())
  return true
}
