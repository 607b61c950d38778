import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"

// What the modules of a thread take of its heap, in MiB, after a collection.
const heapOf = (module: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const program = `
      import { setFlagsFromString } from "node:v8"
      import { runInNewContext } from "node:vm"
      import { parentPort } from "node:worker_threads"
      setFlagsFromString("--expose-gc")
      const collect = runInNewContext("gc")
      const used = () => {
        collect()
        return process.memoryUsage().heapUsed / 2 ** 20
      }
      const before = used()
      await import(${JSON.stringify(new URL(`../dist/sqlite/internal/${module}.js`, import.meta.url))})
      parentPort.postMessage(used() - before)
    `
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      execArgv: []
    })
    worker.once("message", resolve)
    worker.once("error", reject)
  })

// The whole contract, with what it imports, takes 17.
it.each(["jobs", "writeSteps"])("what threads do loads little: %s", async (module) => {
  expect(await heapOf(module)).toBeLessThan(4)
})
