import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import * as ExampleFolders from "./exampleFolders.ts"
import { runExample, startProxy } from "./running.ts"

const benzene = "DTXSID3039242"

const folders = ExampleFolders.start()

describe.concurrent("nightly.ts", () => {
  const lines = (file: string) => readFileSync(file, "utf8").split("\n").slice(0, -1)

  it("adds every record in the first night, with one worker or four, and requests none twice in the same night", async () => {
    const { cwd, run } = folders.make()
    const [first, four] = await Promise.all([
      run("nightly.ts", ["alone.db", "alone.ndjson"]),
      run("nightly.ts", ["four.db", "four.ndjson", "4"])
    ])
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^finished: \d+ found, 0 missing, 0 failed/m)
    })
    const added = lines(join(cwd, "alone.ndjson")).map((line) => JSON.parse(line))
    expect(added.length).toBeGreaterThan(600)
    expect(new Set(added.map(({ id }) => id)).size).toBe(added.length)
    expect(new Set(added.map(({ change }) => change))).toEqual(new Set(["added"]))
    const again = await run("nightly.ts", ["alone.db", "alone.ndjson"])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("continues") })
    expect(four.code).toBe(0)
    expect(lines(join(cwd, "four.ndjson")).toSorted()).toEqual(lines(join(cwd, "alone.ndjson")).toSorted())
  })
})

describe.concurrent("mirror.ts", () => {
  const read = (file: string, sql: string) => {
    const database = new DatabaseSync(file)
    const rows = database.prepare(sql).all()
    database.close()
    return rows.map((row) => ({ ...row }))
  }

  /** Starts a proxy that counts the requests of the example, and can kill its process at one of them. */
  const startCountingProxy = async () => {
    const requests: Array<string> = []
    const count = (method: string) => requests.filter((request) => request.startsWith(method)).length
    let killAt: { readonly post: number; kill?: () => void } | undefined
    const proxy = await startProxy(folders.url(), (request) => {
      requests.push(request)
      const isReached = killAt !== undefined && count("POST") === killAt.post
      if (isReached) killAt?.kill?.()
      return isReached
    })
    return {
      count,
      stop: proxy.stop,
      /** Runs the example to its end. */
      run: (cwd: string) => {
        requests.length = 0
        killAt = undefined
        return runExample("mirror.ts", ["mirror.sqlite"], environment(cwd, proxy.url))
      },
      /** Runs the example, and kills it at this POST, while the transaction of a page is open. */
      runUntil: (cwd: string, post: number) => {
        const until: typeof killAt = { post }
        killAt = until
        const onStart = (kill: () => void) => {
          until.kill = kill
        }
        return runExample("mirror.ts", ["mirror.sqlite"], { ...environment(cwd, proxy.url), onStart })
      }
    }
  }

  const environment = (cwd: string, url: string) => ({
    cwd,
    env: { ...folders.env(), CHEMSTREAM_BASE_URL: url }
  })

  /** Returns the identifiers of all pages of the service. */
  const listedIds = async () => {
    const ids: Array<string> = []
    for (let page = 1; page <= 7; page++) {
      const path = `/chemical/all?projection=all-ids&next=${page}`
      const listed = (await folders.get(path)) as Array<{ dtxsid: string }>
      ids.push(...listed.map(({ dtxsid }) => dtxsid))
    }
    return ids
  }

  it("continues with the unfinished page after a kill, and has every identifier once at the end", async () => {
    const { cwd } = folders.make()
    const file = join(cwd, "mirror.sqlite")
    const proxy = await startCountingProxy()
    expect((await proxy.runUntil(cwd, 4)).code).toBe(null)
    expect(read(file, "SELECT count(*) AS n FROM chemical")).toEqual([{ n: 300 }])
    expect(read(file, "SELECT page FROM checkpoint")).toEqual([{ page: 3 }])

    const { code, stderr } = await proxy.run(cwd)
    await proxy.stop()
    expect(stderr).toBe(
      `continues after page 3\n${[4, 5, 6, 7].map((page) => `page ${page} is done\n`).join("")}`
    )
    expect(code).toBe(0)
    expect([proxy.count("POST"), proxy.count("GET")]).toEqual([4, 5])
    const ids = read(file, "SELECT dtxsid FROM chemical").map(({ dtxsid }) => dtxsid)
    expect(ids.toSorted()).toEqual((await listedIds()).toSorted())
    expect(read(file, "SELECT page FROM checkpoint")).toEqual([])
    const path = `/chemical/detail/search/by-dtxsid/${benzene}?projection=ccdchemicaldetails`
    const [stored] = read(file, `SELECT record FROM chemical WHERE dtxsid = '${benzene}'`)
    expect(JSON.parse(String(stored?.["record"]))).toEqual(await folders.get(path))
  })

  it("keeps no record of a page that it could not write completely", async () => {
    const { cwd, run } = folders.make()
    const page = (await folders.get("/chemical/all?projection=all-ids&next=2")) as Array<{ dtxsid: string }>
    const database = new DatabaseSync(join(cwd, "full.sqlite"))
    database.exec("CREATE TABLE chemical (dtxsid TEXT PRIMARY KEY, record TEXT NOT NULL)")
    database.exec(
      `CREATE TRIGGER full BEFORE INSERT ON chemical WHEN NEW.dtxsid = '${page[50]?.dtxsid}'
       BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`
    )
    database.close()
    const { code, stderr } = await run("mirror.ts", ["full.sqlite"])
    expect({ code, stderr }).toEqual({ code: 1, stderr: "page 1 is done\nthe disk is full\n" })
    expect(read(join(cwd, "full.sqlite"), "SELECT count(*) AS n FROM chemical")).toEqual([{ n: 100 }])
    expect(read(join(cwd, "full.sqlite"), "SELECT page FROM checkpoint")).toEqual([{ page: 1 }])
  })

  it("starts over the next night, and replaces its records", async () => {
    const { cwd, run } = folders.make()
    await run("mirror.ts", ["nights.sqlite"])
    const database = new DatabaseSync(join(cwd, "nights.sqlite"))
    database.exec(`UPDATE chemical SET record = 'of yesterday'`)
    database.close()
    const { code, stderr } = await run("mirror.ts", ["nights.sqlite"])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^page 1 is done\n/)
    const old = "SELECT count(*) AS n, sum(record = 'of yesterday') AS old FROM chemical"
    expect(read(join(cwd, "nights.sqlite"), old)).toEqual([{ n: 643, old: 0 }])
  })
})
