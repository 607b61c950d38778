/** Completes the address of a Postgres with the environment variables that its other clients use. */
import { userInfo } from "node:os"

/**
 * Fills in the missing parts of an address from `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`. Returns
 * undefined if the text is not an address.
 */
export const completeAddress = (
  address: string,
  { PGDATABASE, PGHOST, PGPASSWORD, PGPORT, PGUSER }: Readonly<Record<string, string | undefined>>
): URL | undefined => {
  const parsed = URL.parse(address)
  if (parsed === null) return undefined
  const url = new URL(parsed.href)
  if (url.hostname === "") url.hostname = PGHOST ?? "localhost"
  if (url.port === "" && PGPORT !== undefined) url.port = PGPORT
  if (url.username === "") url.username = PGUSER ?? userInfo().username
  if (url.password === "" && PGPASSWORD !== undefined) url.password = PGPASSWORD
  if (url.pathname === "" || url.pathname === "/") url.pathname = `/${PGDATABASE ?? url.username}`
  return url.hostname === "" ? undefined : url
}
