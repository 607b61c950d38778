/**
 * The built page: its files, where each is to be served, and the headers that belong to them.
 *
 * The page is made by Vite from `page/`. It asks the service that serves it, and no other host. A server adds the
 * path `/explorer/structure` (`structurePath`), which draws structures, `/explorer/key` (`keyPath`), which exchanges
 * the token of a one-time link for a key, and `/explorer/harvests` (`harvestsPath`), where it has harvests to show.
 */
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A file of the page. */
export interface File {
  /** Where it is served, e.g. `/` or `/explorer/page-Bq3x.js`. */
  readonly path: `/${string}`
  readonly contentType: string
  readonly body: Uint8Array
}

/** The path that responds with what is drawn or computed of a structure. */
export const structurePath = "/explorer/structure"

/** The path that responds to the token of a one-time link with a key. */
export const keyPath = "/explorer/key"

/** The path that responds with the state of harvests, a JSON array of `HarvestView`. */
export const harvestsPath = "/explorer/harvests"

/** The headers of every file: scripts and styles of the page alone, and nothing of another host. */
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
 * The files of the page, read from the package.
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
