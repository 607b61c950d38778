/**
 * Which file a path leads to, whatever it is called: `x` and `./x`, links of both kinds, `/dev/fd/3`, other case where the
 * file system takes it for the same.
 */
import { fstatSync } from "node:fs"
import { readlink, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** As many links as the kernel follows. */
const mostLinks = 40

/** The file that a path leads to. Two files are the same where `path` or `inode` is. */
export interface FileIdentity {
  /** The path without links, of a file that does not exist yet too; of an open file where the system tells it. */
  readonly path: string
  /** Device and number of the file; undefined where there is none. */
  readonly inode: string | undefined
  /** The number under which this process has it open already. */
  readonly descriptor: number | undefined
}

/** The file that a path leads to; undefined for a character device, which holds nothing that could be lost. */
export const ofPath = async (file: string): Promise<FileIdentity | undefined> => {
  const descriptor = await descriptorOf(file)
  if (descriptor !== undefined) return ofDescriptor(descriptor)
  const about = await stat(file, { bigint: true }).catch(() => undefined)
  if (about?.isCharacterDevice()) return undefined
  const inode = about === undefined ? undefined : `${about.dev}:${about.ino}`
  return { path: folded(await withoutLinks(resolve(file)), inode), inode, descriptor: undefined }
}

/** The regular file that this process has open under a number; undefined for a terminal, a pipe, or nothing. */
export const ofDescriptor = async (descriptor: number): Promise<FileIdentity | undefined> => {
  try {
    const about = fstatSync(descriptor, { bigint: true })
    if (!about.isFile()) return undefined
    // Only Linux tells where it is.
    const path = await realpath(`/proc/self/fd/${descriptor}`).catch(() => `descriptor ${descriptor}`)
    return { path, inode: `${about.dev}:${about.ino}`, descriptor }
  } catch {
    // Not open. Who uses it says so.
    return undefined
  }
}

/** The number under which this process has open what a path names, links followed; undefined for any other path. */
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

/** The path with the links of all its folders followed, those that exist, and of the file even where it leads to none. */
export const withoutLinks = async (path: string, links = 0): Promise<string> => {
  const known = await realpath(path).catch(() => undefined)
  if (known !== undefined || dirname(path) === path) return known ?? path
  const next = links < mostLinks ? await readlink(path).catch(() => undefined) : undefined
  return next === undefined
    ? join(await withoutLinks(dirname(path), links), basename(path))
    : withoutLinks(resolve(dirname(path), next), links + 1)
}

/** A file that does not exist has no number to know it by, so where names usually differ in more than case, case is ignored. */
const folded = (path: string, inode: string | undefined): string =>
  inode === undefined && (process.platform === "darwin" || process.platform === "win32")
    ? path.normalize("NFC").toLowerCase()
    : path
