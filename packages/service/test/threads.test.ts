import { syncBuiltinESMExports } from "node:module"
import workerThreads, { Worker, type WorkerOptions } from "node:worker_threads"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { run, send, serviceOf } from "./testService.ts"

// Returns the files that a thread loads with a module, without those of Node.
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

it("threads do not get the environment of the process, which may have keys", () =>
  run(
    Effect.gen(function* () {
      const options: Array<WorkerOptions | undefined> = []
      workerThreads.Worker = class extends Worker {
        constructor(program: string | URL, settings?: WorkerOptions) {
          super(program, settings)
          options.push(settings)
        }
      }
      syncBuiltinESMExports()
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          workerThreads.Worker = Worker
          syncBuiltinESMExports()
        })
      )
      const service = yield* serviceOf(['{"dtxsid":"DTXSID7020182","preferredName":"Bisphenol A"}'])
      expect((yield* send(service, "/chemical/search/contain/phenol")).status).toBe(200)
      // The writing thread, and a search thread.
      expect(options.length).toBeGreaterThanOrEqual(2)
      for (const { env } of options.map((one) => one ?? {})) expect(env).toEqual({})
    })
  ))

// Every thread has its own copy of the modules it loads, and the whole contract is much larger than the rest.
it.each(["search/searchJobs", "writes/writeSteps"])(
  "threads load %s, and of other packages only the folding of names, with the check of its argument",
  async (module) => {
    const loaded = await loadedWith(module)
    expect(loaded.some((url) => url.endsWith(`/sqlite/internal/${module}.js`))).toBe(true)
    const others = loaded.filter((url) => !url.includes("/service/dist/sqlite/internal/"))
    expect(others.map((url) => url.slice(url.lastIndexOf("/api/"))).sort()).toEqual([
      "/api/dist/InvalidOption.js",
      "/api/dist/identifiers/NameForm.js",
      "/api/dist/internal/checkArgument.js"
    ])
  }
)
