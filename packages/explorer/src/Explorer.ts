/**
 * The built page: its files, their paths, and their headers.
 *
 * Vite makes the page from `page/`. It sends requests to the service that serves it, and to no other host. A
 * server adds four paths:
 * - `/explorer/structure` (`structurePath`) draws structures.
 * - `/explorer/key` (`keyPath`) exchanges the token of a one-time link for a key.
 * - `/explorer/service` (`servicePath`) says what the service has.
 * - `/explorer/harvests` (`harvestsPath`) lists harvests, if the server has any.
 */
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A file of the page. */
export interface File {
  /** The path at which it is served, e.g. `/` or `/explorer/page-Bq3x.js`. */
  readonly path: `/${string}`
  readonly contentType: string
  readonly body: Uint8Array
}

/** The path that draws structures, or computes their InChI, InChIKey and mass. */
export const structurePath = "/explorer/structure"

/** The path that exchanges the token of a one-time link for a key. */
export const keyPath = "/explorer/key"

/** The path of the state of harvests, a JSON array of `HarvestView`. */
export const harvestsPath = "/explorer/harvests"

/** The path of the contents of the service, a `ServiceView` as JSON. */
export const servicePath = "/explorer/service"

/** The headers of every file. They allow scripts and styles of the page alone, and no other host. */
export const headers: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml"
}

/**
 * Reads the files of the page from the package.
 *
 * @example
 * ```ts
 * import { Explorer } from "@chemstream/explorer"
 *
 * Explorer.files().some(({ path }) => path === "/") // => true
 * ```
 */
export const files = (): ReadonlyArray<File> => {
  const folder = fileURLToPath(new URL("./page/", import.meta.url))
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const name = file.slice(folder.length).replaceAll("\\", "/")
      return {
        path: name === "index.html" ? "/" : `/${name}`,
        contentType: contentTypes[extname(name)] ?? "application/octet-stream",
        body: readFileSync(file)
      }
    })
}
