/**
 * Measures how soon harvests recover from attacks: the time from the end of the fault until each shard of the harvest has stored a chunk
 * again. The lease is 3 seconds. The attacks are those of the tests, which also judge the output.
 */
import { loadavg } from "node:os"
import { attacks, lease, run } from "../../packages/workflow/test/attacks.ts"
import * as Postgres from "../../packages/workflow/test/postgres.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import { short } from "./statistics.ts"

/** Runs the benchmark, and reports its progress on standard error. */
export const measureRecovery = async (): Promise<Figures> => {
  const [load = 0] = loadavg()
  const postgres = await Postgres.start()
  try {
    const figures: Record<string, number> = { "lease (s)": lease }
    for (const attack of [{ title: "none", begin: () => {} }, ...attacks]) {
      log(attack.title)
      const { exits, recovery } = await run(attack, postgres)
      figures[`${attack.title} (s)`] = short(recovery)
      figures["workers that exited by themselves"] =
        (figures["workers that exited by themselves"] ?? 0) + exits.length
    }
    return { ...figures, "load of the machine before": short(load) }
  } finally {
    await postgres.stop()
  }
}
