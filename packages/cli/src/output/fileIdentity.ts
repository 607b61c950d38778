/**
 * Identifies the file of a path, so that two paths can be compared: `x` and `./x`, links of both kinds, `/dev/fd/3`, and another case on
 * a case-insensitive file system.
 */
import { fstatSync } from "node:fs"
import { readlink, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** The largest number of links to follow: the limit of Linux. */
const mostLinks = 40

/** The identity of a file. Two files are the same if `path` or `inode` is equal. */
export interface FileIdentity {
  /** The path without links, also for a file that does not exist yet. For an open file: its path, if the system knows it. */
  readonly path: string
  /** The device and inode of the file. Undefined: it does not exist. */
  readonly inode: string | undefined
  /** The file descriptor, if this process has the file open. */
  readonly descriptor: number | undefined
}

/** Identifies the file of a path. Undefined for a character device, which has no content to lose. */
export const ofPath = async (file: string): Promise<FileIdentity | undefined> => {
  const descriptor = await descriptorOf(file)
  if (descriptor !== undefined) return ofDescriptor(descriptor)
  const about = await stat(file, { bigint: true }).catch(() => undefined)
  if (about?.isCharacterDevice()) return undefined
  const inode = about === undefined ? undefined : `${about.dev}:${about.ino}`
  return { path: foldCase(await withoutLinks(resolve(file)), inode), inode, descriptor: undefined }
}

/** Identifies the regular file of a file descriptor. Undefined for a terminal, a pipe, or a closed descriptor. */
export const ofDescriptor = async (descriptor: number): Promise<FileIdentity | undefined> => {
  try {
    const about = fstatSync(descriptor, { bigint: true })
    if (!about.isFile()) return undefined
    // Only Linux reports the path.
    const path = await realpath(`/proc/self/fd/${descriptor}`).catch(() => `descriptor ${descriptor}`)
    return { path, inode: `${about.dev}:${about.ino}`, descriptor }
  } catch {
    // The descriptor is not open. Opening it reports the error.
    return undefined
  }
}

/** Returns the file descriptor that a path such as `/dev/fd/3` names, after links. Undefined for other paths. */
export const descriptorOf = async (file: string): Promise<number | undefined> => {
  let path = resolve(file)
  for (let links = 0; links < mostLinks; links++) {
    if (path === "/dev/stdin") return 0
    if (path === "/dev/stdout") return 1
    if (path === "/dev/stderr") return 2
    const folder = await realpath(dirname(path)).catch(() => dirname(path))
    const isOwn =
      folder === "/dev/fd" || (folder.startsWith(`/proc/${process.pid}/`) && basename(folder) === "fd")
    if (isOwn && /^\d+$/.test(basename(path))) return Number(basename(path))
    const next = await readlink(path).catch(() => undefined)
    if (next === undefined) return undefined
    path = resolve(folder, next)
  }
  return undefined
}

/** Resolves the links of all existing folders of a path, and of the file even if its target does not exist. */
export const withoutLinks = async (path: string, links = 0): Promise<string> => {
  const known = await realpath(path).catch(() => undefined)
  if (known !== undefined || dirname(path) === path) return known ?? path
  const next = links < mostLinks ? await readlink(path).catch(() => undefined) : undefined
  return next === undefined
    ? join(await withoutLinks(dirname(path), links), basename(path))
    : withoutLinks(resolve(dirname(path), next), links + 1)
}

/** A missing file has no inode to compare, so case is ignored on systems with case-insensitive names. */
const foldCase = (path: string, inode: string | undefined): string =>
  inode === undefined && (process.platform === "darwin" || process.platform === "win32")
    ? path.normalize("NFC").toLowerCase()
    : path
