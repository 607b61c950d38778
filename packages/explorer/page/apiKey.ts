/**
 * The API key of this tab: entered once, or exchanged for the token of a one-time link, and kept in session
 * storage.
 */
const storageName = "chemstream-api-key"

/** Returns the key of this tab, or null if there is none. */
export const key = (): string | null => sessionStorage.getItem(storageName)

/** Keeps a key until the tab is closed. */
export const keep = (key: string): void => sessionStorage.setItem(storageName, key)

/** Forgets the key. */
export const forget = (): void => sessionStorage.removeItem(storageName)

const linkForm = /^#\/open\/([\w-]+)$/

/**
 * Exchanges the token of a one-time link for a key, and keeps the key. Removes the token from the address at
 * once, so that it is not in the history. Returns false if the link was used before.
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
