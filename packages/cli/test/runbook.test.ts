import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { describe, expect, it, vi } from "vitest"
import { startServer } from "./postgres.ts"
import { cleanUp, type Ended, folder, run, sharedService, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const guide = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "docs", "guides", "operate.md"),
  "utf8"
)

/** The rows of the tables of symptoms: a message, in which `…` is any text, and the exit code. */
const rows = Array.from(
  guide.slice(guide.indexOf("## Symptoms")).matchAll(/^\| `(.+?)` +\| +(\d*) \|/gm),
  ([, message = "", code = ""]) => ({ message, code: code === "" ? undefined : Number(code) })
)

/** Calls a function at most once. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

const patternOf = (message: string): RegExp =>
  new RegExp(
    message
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^\\n]+"),
    "m"
  )

const id = "DTXSID7020182"
const patient = { timeout: 60_000, interval: 500 }

/** The commands of a harvest `nightly` in a folder of its own. */
const setUp = async (more: Record<string, string> = {}) => {
  const { env: own } = await sharedService()
  const env = { ...own, ...more }
  const cwd = folder()
  const harvest = (...args: ReadonlyArray<string>) => run(["harvest", ...args], { env, cwd })
  const work = (...args: ReadonlyArray<string>) => start(["harvest", "worker", ...args], { env, cwd })
  const check = (...args: ReadonlyArray<string>) => harvest("status", "nightly", "--check", ...args)
  const detached = async (output = "out") => {
    const ended = await harvest("start", "nightly", id, "-o", output, "--detach")
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
  }
  const sql = (text: string, file = "chemstream-harvests.db") => {
    const database = new DatabaseSync(join(cwd, file))
    database.exec(text)
    return database
  }
  /** Checks until the line begins with a text. */
  const until = async (text: string): Promise<Ended> => {
    let last: Ended | undefined
    // Not `expect.poll`, which needs the `expect` of each concurrent test.
    await vi.waitFor(async () => {
      last = await check()
      expect(last.stdout).toContain(`nightly: ${text}`)
    }, patient)
    return last as Ended
  }
  return { cwd, harvest, work, check, detached, sql, until }
}

/** Provokes a pause: the worker ends with its line and code. */
const paused = async (env: Record<string, string> = {}, ...args: ReadonlyArray<string>): Promise<Ended> => {
  const { detached, work } = await setUp(env)
  await detached()
  return work("--until-done", ...args).ended
}

/** Runs statements in a Postgres, one after the other. Returns the rows of the last one. */
const query = (url: string, ...statements: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.makeClient({ url: Redacted.make(url) })
    const results = yield* Effect.forEach(statements, (text) => sql.unsafe(text))
    return results.at(-1) ?? []
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.runPromise)

/** A database with the roles of the guide. */
const roles = once(async () => {
  const { url } = await startServer()
  const [, block = ""] = /^```sql\n([\s\S]+?)^```$/m.exec(guide.slice(guide.indexOf("## Rights"))) ?? []
  await query(url, ...block.split(";\n").filter((text) => text.trim() !== ""))
  const as = (role: string, password: string) => url.replace("harvest:harvest", `${role}:${password}`)
  return {
    superuser: url,
    owner: as("chem_owner", "first"),
    worker: as("chem_worker", "second"),
    reader: as("chem_reader", "third")
  }
})

/** The roles, with the tables that the owner makes. */
const withTables = once(async () => {
  const all = await roles()
  const { env } = await sharedService()
  const ended = await run(["harvest", "worker", "--until-done", "-d", all.owner], { env, cwd: folder() })
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("no harvest is unfinished\n") })
  return all
})

/** Runs a lookup into a table, as the nightly unit does. */
const look = (
  output: string,
  env: Record<string, string>,
  args: ReadonlyArray<string> = [id],
  cwd = folder()
): Promise<Ended> =>
  run(["details", ...args, "--output", output, "--stale", "mark", "--retries", "0"], { env, cwd })

/** Looks up into a table of the Postgres, whose address is changed. */
const lookInto = async (change: (url: string) => string, more: Record<string, string> = {}) => {
  const { env } = await sharedService()
  return look(`${change((await startServer()).url)}#looked_up`, { ...env, ...more })
}

/** A file with a text. */
const fileWith = (text: string): string => {
  const file = join(folder(), "key")
  writeFileSync(file, text)
  return file
}

/** The records of a request. */
const recordsOf = ({ ids }: { readonly ids: ReadonlyArray<string> }) => ({
  body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid })))
})

/** Provokes each symptom, by its message in the guide. */
const symptoms: Readonly<Record<string, () => Promise<Ended>>> = {
  "no worker runs": async () => {
    const { check, detached } = await setUp()
    await detached()
    return check()
  },
  "no running worker can do it: …": async () => {
    const { detached, sql, until, work } = await setUp()
    await detached()
    sql(`UPDATE chemstream_harvests SET spec = '{"version":99}'`).close()
    work()
    return until("no running worker")
  },
  "running: the worker … has been silent for …": async () => {
    const service = await scripted(() => ({ body: "[]", until: new Promise(() => {}) }))
    const { detached, until, work } = await setUp(service.env)
    await detached()
    const worker = work()
    await until("running")
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0), patient)
    worker.child.kill("SIGSTOP")
    return until("running: the worker")
  },
  "running: retrying: …": async () => {
    const { detached, sql, until, work } = await setUp()
    await detached("out.sqlite#t")
    const lock = sql("BEGIN IMMEDIATE", "out.sqlite")
    cleanUp(() => lock.close())
    work("--lease", "1m")
    return until("running: retrying")
  },
  "no progress for …": async () => {
    const service = await scripted(() => ({ body: "[]", until: new Promise(() => {}) }))
    const { detached, until, work } = await setUp(service.env)
    await detached()
    work("--lease", "2s", "--timeout", "10m")
    return until("no progress")
  },
  "the service is unavailable: waiting for it": async () => {
    const service = await scripted(() => ({ status: 503, body: "" }))
    const { detached, until, work } = await setUp(service.env)
    await detached()
    work("--retries", "0")
    return until("the service is unavailable")
  },
  "the service asks to wait until …": async () => {
    const service = await scripted(() => ({ status: 429, body: "", headers: { "retry-after": "3600" } }))
    const { detached, until, work } = await setUp(service.env)
    await detached()
    work()
    return until("the service asks")
  },
  "paused: by harvest pause": async () => {
    const { check, detached, harvest } = await setUp()
    await detached()
    await harvest("pause", "nightly")
    return check()
  },
  "paused: the service refused the API key …": () => paused({ CHEMSTREAM_API_KEY: "a wrong key" }),
  "paused: the service stayed unavailable for longer than": async () => {
    const service = await scripted(() => ({ status: 503, body: "" }))
    return paused(service.env, "--retries", "0", "--wait", "0")
  },
  "paused: a web page … came instead of the data …": async () => {
    const service = await scripted(() => ({
      body: "<html><title>Log in</title>",
      headers: { "content-type": "text/html" }
    }))
    return paused(service.env)
  },
  "paused: it uses …, and the worker … uses …": async () => {
    const { harvest, until, work } = await setUp()
    await work().says(/the worker runs/)
    await harvest("start", "nightly", id, "-o", "out", "--detach", "--base-url", "http://127.0.0.1:9")
    return until("paused")
  },
  "paused: cannot write …": async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    const service = await scripted(() => ({ body: "[]", until }))
    const { detached, sql, work } = await setUp(service.env)
    await detached("out.sqlite#t")
    const worker = work("--until-done")
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0), patient)
    const refusal = "BEFORE INSERT ON t_outcomes BEGIN SELECT RAISE(ABORT, 'not this one'); END"
    sql(`CREATE TRIGGER no ${refusal}`, "out.sqlite").close()
    release()
    return worker.ended
  },
  "paused: cannot open … permission denied …": async () => {
    const { worker } = await withTables()
    const { check, harvest, work } = await setUp({ CHEMSTREAM_HARVESTS: worker })
    await harvest("start", "nightly", id, "-o", "#elsewhere", "--detach")
    await work("--until-done").ended
    const ended = await check()
    await harvest("cancel", "nightly")
    return ended
  },
  "paused: cannot open …": async () => {
    const { check, cwd, detached, work } = await setUp()
    await detached()
    writeFileSync(join(cwd, "out"), "a file where the folder should be")
    await work().says(/the harvest "nightly" is paused: cannot open /)
    return check()
  },
  "paused: the database has lost chunk …": async () => {
    const { detached, sql, work } = await setUp()
    await detached()
    sql("DELETE FROM chemstream_chunks").close()
    return work("--until-done").ended
  },
  "paused: a defect of chemstream: …": async () => {
    const { detached, sql, work } = await setUp()
    await detached()
    sql("UPDATE chemstream_chunks SET items = 'x'").close()
    return work("--until-done").ended
  },
  "finished at …; … failed": async () => {
    const service = await scripted(() => ({ status: 400, body: "{}" }))
    return paused(service.env)
  },
  "finished at …, more than … ago": async () => {
    const { check, harvest } = await setUp()
    await harvest("start", "nightly", id, "-o", "out", "-q")
    return check("--older-than", "0")
  },
  cancelled: async () => {
    const { check, detached, harvest } = await setUp()
    await detached()
    await harvest("cancel", "nightly")
    return check()
  },
  "cannot serve metrics (--metrics-port): …": async () => {
    const { url } = await sharedService()
    const { work } = await setUp()
    return work("--metrics-port", new URL(url).port).ended
  },
  "cannot serve health (--health-port): …": async () => {
    const { url } = await sharedService()
    const { work } = await setUp()
    return work("--health-port", new URL(url).port).ended
  },
  "The option rate is …. Give …, as the running worker … has": async () => {
    const { work } = await setUp()
    await work("--rate", "10/s").says(/the worker runs/)
    return work("--rate", "20/s").ended
  },
  "uses …. Finish or cancel that harvest first": async () => {
    const { harvest, work } = await setUp()
    await harvest("start", "nightly", id, "-o", "out", "--detach", "--base-url", "http://127.0.0.1:9")
    return work().ended
  },
  "the database of harvests does not respond … Waiting at most five minutes": async () => {
    const { work } = await setUp()
    const worker = work("-d", "postgres://nobody@127.0.0.1:1/nothing")
    await worker.says(/five minutes/)
    return { code: null, stdout: "", stderr: worker.stderr() }
  },
  "the database of harvests does not respond …": async () => {
    const { check } = await setUp({ CHEMSTREAM_HARVESTS: "postgres://nobody@127.0.0.1:1/nothing" })
    return check()
  },
  "the database of harvests does not exist: …": async () => {
    const { url } = await startServer()
    return (await setUp()).work("-d", url.replace(/postgres$/, "nothing")).ended
  },
  "cannot write postgres://…: password authentication failed …": () =>
    lookInto((url) => url.replace("harvest:harvest", "harvest:wrong")),
  "cannot write postgres://…: the server asks for a password. Set PGPASSWORD …": () =>
    lookInto((url) => url.replace("harvest:harvest", "harvest")),
  "cannot write postgres://…: database … does not exist …": () =>
    lookInto((url) => url.replace(/postgres$/, "nothing")),
  "cannot write postgres://…: permission denied …": async () => {
    const { worker } = await roles()
    return lookInto(() => worker)
  },
  "cannot write postgres://… ECONNREFUSED …": () => lookInto(() => "postgres://nobody@127.0.0.1:1/nothing"),
  "cannot write postgres://…; the position saved before is still valid": async () => {
    const { url } = await startServer()
    let end = () => {}
    const until = new Promise<void>((resolve) => {
      end = resolve
    })
    const { env, requests } = await scripted((request, number) => ({
      ...recordsOf(request),
      // A run saves its position every second.
      ...(number === 3 ? { after: 1200 } : {}),
      ...(number > 3 ? { until } : {})
    }))
    const args = ["--batch-size", "1", "--concurrency", "1"]
    const ids = Array.from({ length: 5 }, (_, at) => `DTXSID${2000001 + at}`)
    // A second attempt of this test has a role and a table of its own.
    const lost = `lost_${Date.now()}`
    await query(url, `CREATE ROLE ${lost} SUPERUSER LOGIN PASSWORD 'sixth'`)
    const target = `${url.replace("harvest:harvest", `${lost}:sixth`)}#${lost}`
    const ended = look(target, env, [...ids, ...args, "--log", "json"])
    const saved = `SELECT count(*) > 0 AS saved FROM ${lost}`
    await vi.waitFor(async () => expect(await query(url, saved)).toEqual([{ saved: true }]), patient)
    await vi.waitFor(() => expect(requests).toHaveLength(4), patient)
    await query(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${lost}'`)
    end()
    const { code, stderr, stdout } = await ended
    // The message is one line, and has the error once.
    expect(stderr.match(/cannot write postgres/g)).toHaveLength(1)
    return { code, stdout, stderr }
  },
  "another run or program is using postgres://…": async () => {
    const { url } = await startServer()
    const service = await scripted(() => ({ body: "[]", until: new Promise(() => {}) }))
    const first = start(["details", id, "--output", `${url}#used`, "-q"], { env: service.env, cwd: folder() })
    await vi.waitFor(() => expect(service.requests).toHaveLength(1), patient)
    const second = await look(`${url}#used`, service.env)
    first.child.kill("SIGKILL")
    return second
  },
  "the table … has another shape: …": async () => {
    const { url } = await startServer()
    await query(url, "CREATE TABLE of_others (own int PRIMARY KEY)")
    return look(`${url}#of_others`, (await sharedService()).env)
  },
  "the service refused the API key …": () => lookInto((url) => url, { CHEMSTREAM_API_KEY: "a wrong key" }),
  "cannot read CHEMSTREAM_API_KEY_FILE: …": async () => {
    const { url } = await sharedService()
    const env = { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY_FILE: join(folder(), "none") }
    return look("t.sqlite#t", env)
  },
  "CHEMSTREAM_API_KEY_FILE is empty: …": async () => {
    const { url } = await sharedService()
    return look("t.sqlite#t", { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY_FILE: fileWith("\n") })
  },
  "the service has been unavailable for …": async () => {
    const { env } = await scripted(() => ({ status: 503, body: "" }))
    return look("t.sqlite#t", env, [id, "--wait", "1s"])
  },
  "cannot reach the service at …": () =>
    look("t.sqlite#t", { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }, [
      id,
      "--wait",
      "0"
    ]),
  "the input differs from that of the run to continue: …": async () => {
    const { env } = await scripted((request, number) =>
      number === 2 ? { status: 401, body: "{}" } : recordsOf(request)
    )
    const cwd = folder()
    const args = ["--batch-size", "1", "--concurrency", "1"]
    expect((await look("t.sqlite#t", env, [id, "DTXSID3039242", ...args], cwd)).code).toBe(3)
    return look("t.sqlite#t", env, ["DTXSID3039242", id, ...args], cwd)
  },
  "the database of harvests refuses the login: …": async () => {
    const { worker } = await roles()
    return (await setUp()).work("-d", worker.replace("second", "wrong")).ended
  },
  "the database of harvests refuses this user: …": async () => {
    const { superuser } = await roles()
    await query(superuser, "DROP ROLE IF EXISTS stranger", "CREATE ROLE stranger LOGIN PASSWORD 'fourth'")
    const { work } = await setUp()
    return work("-d", superuser.replace("harvest:harvest", "stranger:fourth")).ended
  },
  "this connection to the database is read-only": async () => {
    const { reader, superuser, worker } = await withTables()
    const rights = "CREATE ROLE standby LOGIN PASSWORD 'fifth' IN ROLE chem_reader, pg_read_all_data"
    const readOnly = "ALTER ROLE standby SET default_transaction_read_only = on"
    await query(superuser, "DROP ROLE IF EXISTS standby", rights, readOnly)
    const { harvest } = await setUp({ CHEMSTREAM_HARVESTS: worker })
    await harvest("start", "read-only", id, "-o", "out", "--detach")
    const url = reader.replace("chem_reader:third", "standby:fifth")
    const ended = await harvest("status", "read-only", "--check", "-d", url)
    await harvest("cancel", "read-only")
    return ended
  }
}

describe("the runbook", { concurrent: true }, () => {
  it("has each symptom of these tests, and no other", () => {
    expect(rows.map(({ message }) => message).toSorted()).toEqual(Object.keys(symptoms).toSorted())
  })

  // Those of the Postgres share its roles, so they run one after the other.
  for (const { code, message } of rows)
    it(`shows ${message}`, {
      concurrent: !/login|this user|permission|read-only/.test(message)
    }, async () => {
      const ended = await (symptoms[message] as () => Promise<Ended>)()
      expect(`${ended.stdout}${ended.stderr}`).toMatch(patternOf(message))
      expect(ended.code).toBe(code ?? null)
    })
})

describe("the roles of the guide", () => {
  it("make, work and read, and none does more", async () => {
    const { owner, reader, superuser, worker } = await withTables()
    const { harvest, work } = await setUp({ CHEMSTREAM_HARVESTS: worker })
    await harvest("start", "table", id, "-o", "#results.chemicals", "--detach")
    await harvest("start", "mirror", id, "--mirror", "ours", "--detach")
    const ended = await work("--until-done").ended
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("table: finished at") })
    expect(ended.stderr).toContain("the view chemstream_mirror_ours was not replaced: permission denied")
    const count = "SELECT count(*)::int AS n FROM results.chemicals"
    expect(await query(reader, count)).toEqual([{ n: 1 }])
    expect(await harvest("status", "table", "--check", "-d", reader)).toMatchObject({ code: 0 })
    const refused = await harvest("cancel", "table", "-d", reader)
    expect(refused.code).not.toBe(0)
    expect(await harvest("pause", "table", "-d", reader)).toMatchObject({ code: 1 })
    await expect(query(reader, "DELETE FROM results.chemicals")).rejects.toThrow()
    await expect(query(owner, count)).rejects.toThrow()
    await query(superuser, "GRANT CREATE ON SCHEMA public TO chem_worker")
    await harvest("start", "again", id, "--mirror", "ours", "--older-than", "0", "--detach")
    expect((await work("--until-done").ended).stderr).not.toContain("not replaced")
  })
})

describe("an upgrade", () => {
  it("adds to the tables while an older worker runs, which finishes the harvests that it can read", async () => {
    const { detached, sql, until, work } = await setUp()
    const worker = work("--lease", "2s")
    await worker.says(/the worker runs/)
    const database = sql("SELECT 1")
    const { last } = database
      .prepare("SELECT max(migration_id) AS last FROM chemstream_migrations")
      .get() as {
      readonly last: number
    }
    for (const table of ["harvests", "chunks", "progress", "workers", "mirror"])
      database.exec(`ALTER TABLE chemstream_${table} ADD COLUMN later TEXT`)
    database
      .prepare("INSERT INTO chemstream_migrations (migration_id, name) VALUES (?, 'later')")
      .run(last + 1)
    database.close()
    await detached()
    expect(await until("finished at")).toMatchObject({ code: 0 })
    worker.child.kill("SIGTERM")
    expect((await worker.ended).code).toBe(0)
  })
})

describe("a backup", () => {
  it("of harvests and their tables in one Postgres continues in the restored database, under any name", async () => {
    const { url: server } = await startServer()
    // A second attempt begins without the databases of the first.
    const databases = ["live", "moved", "backup"]
    await query(server, ...databases.map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    await query(server, "CREATE DATABASE live")
    const live = server.replace(/postgres$/, "live")
    const ids = Array.from({ length: 40 }, (_, at) => `DTXSID${2000001 + at}`)
    let open = 10
    let free = () => {}
    const blocked = new Promise<void>((resolve) => {
      free = resolve
    })
    const service = await scripted((request) => ({
      body: JSON.stringify(request.ids.map((dtxsid) => ({ dtxsid }))),
      ...(open-- > 0 ? {} : { until: blocked })
    }))
    const { harvest, work } = await setUp({ ...service.env, CHEMSTREAM_HARVESTS: live })
    const args = ["-o", "#t", "--chunk-size", "2", "--validate", "off", "--detach"]
    expect(await harvest("start", "nightly", ...ids, ...args)).toMatchObject({ code: 0 })
    const worker = work()
    const outcomes = "SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM t_outcomes"
    await expect.poll(() => query(live, outcomes).catch(() => []), patient).toEqual([{ n: 20, ids: 20 }])
    worker.child.kill("SIGKILL")
    await worker.ended
    free()
    // As pg_dump and pg_restore, which are not everywhere.
    const end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('live', 'moved', 'backup')"
    await query(server, end, "CREATE DATABASE backup TEMPLATE live", "CREATE DATABASE moved TEMPLATE live")
    open = 1000
    const moved = server.replace(/postgres$/, "moved")
    expect((await work("--until-done", "-d", moved).ended).code).toBe(0)
    expect(await query(moved, outcomes)).toEqual([{ n: 40, ids: 40 }])
    expect(await query(live, outcomes)).toEqual([{ n: 20, ids: 20 }])
    expect((await harvest("verify", "nightly", "-d", moved)).code).toBe(0)
    const same = ["start", "nightly", ...ids, ...args, "-d", moved]
    expect((await harvest(...same)).stderr).toContain("nightly has already finished")
    const other = await harvest("start", "other", ...ids, ...args, "-d", moved)
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('contains the harvest "nightly"')
    })
    expect((await work("--until-done").ended).code).toBe(0)
    expect(await query(live, outcomes)).toEqual([{ n: 40, ids: 40 }])
    await query(server, end, "DROP DATABASE live", "ALTER DATABASE backup RENAME TO live")
    expect(await query(live, outcomes)).toEqual([{ n: 20, ids: 20 }])
    const restored = await work("--until-done").ended
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining("40 read, 0 failed") })
    expect(await query(live, outcomes)).toEqual([{ n: 40, ids: 40 }])
    expect((await harvest("verify", "nightly")).code).toBe(0)
  })
})
