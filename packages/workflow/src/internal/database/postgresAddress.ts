/** Completes the address of a Postgres with the environment variables that its other clients use. */
import { userInfo } from "node:os"

/** The parameters of an address that mean a part of it, and override that part. */
const partOf: Readonly<Record<string, "hostname" | "port" | "username" | "password" | "pathname">> = {
  host: "hostname",
  port: "port",
  user: "username",
  password: "password",
  dbname: "pathname"
}

/**
 * Fills in the missing parts of an address from `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`. Its
 * password and its other parts then stand in one place, even if the text has them as parameters. Returns undefined if
 * the text is not an address.
 */
export const completeAddress = (
  address: string,
  { PGDATABASE, PGHOST, PGPASSWORD, PGPORT, PGUSER }: Readonly<Record<string, string | undefined>>
): URL | undefined => {
  const parsed = URL.parse(address)
  if (parsed === null) return undefined
  const url = new URL(parsed.href)
  // An address without a host cannot have a user, a password or a port.
  if (url.hostname === "") url.hostname = PGHOST ?? "localhost"
  for (const [name, part] of Object.entries(partOf)) {
    const value = url.searchParams.get(name)
    // The folder of a socket is no host name.
    if (value === null || value.startsWith("/")) continue
    url[part] = value
    url.searchParams.delete(name)
  }
  // No client of ours uses the password of a certificate.
  url.searchParams.delete("sslpassword")
  if (url.port === "" && PGPORT !== undefined) url.port = PGPORT
  if (url.username === "") url.username = PGUSER ?? userInfo().username
  if (url.password === "" && PGPASSWORD !== undefined) url.password = PGPASSWORD
  if (url.pathname === "" || url.pathname === "/") url.pathname = `/${PGDATABASE ?? url.username}`
  return url.hostname === "" ? undefined : url
}
