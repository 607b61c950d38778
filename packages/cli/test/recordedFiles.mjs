/**
 * Loaded into the process of a command (`--import`). Records the openings, writes, flushes, renames and removals of its files, and
 * refuses the renames that `REFUSED_RENAME` matches.
 */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const { appendFileSync, close, fsync, ftruncate, open, realpathSync, rename, rm, write } = fs
const file = process.env.RECORDED_FILES
const refused = process.env.REFUSED_RENAME
const names = new Map()

const note = (entry) => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

fs.open = (path, ...rest) => {
  const done = rest.pop()
  const [flags] = rest
  const creates = typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : /^[wa]/.test(flags)
  return open(path, ...rest, (error, descriptor) => {
    if (error === null) names.set(descriptor, realpathSync(String(path)))
    if (error === null && creates) note({ create: names.get(descriptor) })
    done(error, descriptor)
  })
}
fs.close = (descriptor, ...rest) => {
  names.delete(descriptor)
  return close(descriptor, ...rest)
}
fs.write = (descriptor, ...rest) => {
  note({ write: names.get(descriptor) })
  return write(descriptor, ...rest)
}
fs.ftruncate = (descriptor, ...rest) => {
  note({ write: names.get(descriptor) })
  return ftruncate(descriptor, ...rest)
}
fs.fsync = (descriptor, done) =>
  fsync(descriptor, (error) => {
    note({ sync: names.get(descriptor) })
    done(error)
  })
fs.rename = (from, to, done) => {
  if (refused !== undefined && new RegExp(refused).test(String(to))) {
    const error = new Error(`EACCES: permission denied, rename '${from}' -> '${to}'`)
    return done(Object.assign(error, { code: "EACCES", syscall: "rename", path: from, dest: to, errno: -13 }))
  }
  return rename(from, to, (error) => {
    note({ rename: String(from), to: String(to) })
    done(error)
  })
}
fs.rm = (path, ...rest) => {
  note({ remove: String(path) })
  return rm(path, ...rest)
}

syncBuiltinESMExports()
