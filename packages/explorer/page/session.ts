/**
 * The API key of this tab: entered once, or exchanged for the token of a one-time link, and kept in session
 * storage.
 */
const item = "chemstream-api-key"

/** Returns the key of this tab, or null if there is none. */
export const key = (): string | null => sessionStorage.getItem(item)

/** Keeps a key until the tab is closed. */
export const keep = (key: string): void => sessionStorage.setItem(item, key)

/** Forgets the key. */
export const forget = (): void => sessionStorage.removeItem(item)

const linkForm = /^#\/open\/([\w-]+)$/

/**
 * Exchanges the token of a one-time link for a key, and keeps the key. Removes the token from the address at
 * once, so that no history has it. Returns false if the link was used before.
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
