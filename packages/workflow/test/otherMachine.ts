// Makes this process believe that it runs on a machine of another name, whose clock is ahead. MACHINE_NAME is its name,
// and MACHINE_CLOCK the lead of its clock in milliseconds.
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"

const name = process.env["MACHINE_NAME"]
if (name !== undefined) os.hostname = () => name
syncBuiltinESMExports()

const lead = Number(process.env["MACHINE_CLOCK"] ?? 0)
const now = Date.now
Date.now = () => now() + lead
