#!/usr/bin/env node
// Checked before anything else is loaded: what is loaded then does not parse or link on an older Node.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`chemstream: needs Node 22.19 or newer, this is ${process.versions.node}\n`)
  process.exit(2)
}
await import("../dist/bundle/start.js")
