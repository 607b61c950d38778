import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"

// The files that a thread loads with a module of its own, node's aside.
const loadedWith = (module: string): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const program = `
      import { registerHooks } from "node:module"
      import { parentPort } from "node:worker_threads"
      const loaded = []
      registerHooks({
        load: (url, context, next) => {
          loaded.push(url)
          return next(url, context)
        }
      })
      await import(${JSON.stringify(new URL(`../dist/sqlite/internal/${module}.js`, import.meta.url))})
      parentPort.postMessage(loaded.filter((url) => !url.startsWith("node:")))
    `
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      execArgv: []
    })
    worker.once("message", resolve)
    worker.once("error", reject)
  })

// Every thread holds its own copy of what it loads, and the whole contract is many times the rest.
it.each(["jobs", "writeSteps"])(
  "threads load %s, and of other packages only how names are folded",
  async (module) => {
    const loaded = await loadedWith(module)
    expect(loaded.some((url) => url.endsWith(`/sqlite/internal/${module}.js`))).toBe(true)
    const others = loaded.filter((url) => !url.includes("/service/dist/sqlite/internal/"))
    expect(others.map((url) => url.slice(url.lastIndexOf("/api/")))).toEqual(["/api/dist/NameForm.js"])
  }
)
