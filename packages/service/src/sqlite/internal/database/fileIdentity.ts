/** Identifies the file behind a name, because another file may get the name while the first one is open. */
import { statSync } from "node:fs"

/** The device and the inode of a file as text, or undefined without a file. */
export const identityOf = (file: string): string | undefined => {
  const info = statSync(file, { bigint: true, throwIfNoEntry: false })
  return info === undefined ? undefined : `${info.dev}:${info.ino}`
}

/** The number of bytes in the log of a database. A log that another file left would be applied to a new one. */
export const logSizeOf = (file: string): number =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
