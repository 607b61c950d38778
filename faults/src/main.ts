/**
 * `npm run faults -- [--count N] [--seed S]`: the fault suite in its long forms.
 *
 * `soak --minutes 60` and `load --minutes 10` are the other two. Progress goes to standard error, the result as JSON to
 * standard output; ends with 1 where something is not as it must be.
 */
import { parseArgs } from "node:util"
import { campaign } from "./campaign.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" }
  }
})

const usage = (): never => {
  process.stderr.write(
    "npm run faults -- [--count N] [--seed S]\nnpm run faults -- soak [--minutes M]\nnpm run faults -- load [--minutes M]\n"
  )
  process.exit(2)
}

const numberOf = (text: string): number => (Number(text) > 0 ? Number(text) : usage())

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const scenarios = async (): Promise<boolean> => {
  let told = 0
  const { failing, ...summary } = await campaign({
    count: numberOf(values.count),
    seed: numberOf(values.seed),
    onProgress: (done, sofar) => {
      for (const { breaches, seed } of sofar.slice(told))
        say(`seed ${seed}: ${breaches.slice(0, 3).join("; ")}`)
      told = sofar.length
      say(`${done} scenarios, ${sofar.length} failing`)
    }
  })
  process.stdout.write(
    `${JSON.stringify({ ...summary, failing: failing.map(({ seed }) => seed) }, null, 2)}\n`
  )
  return failing.length === 0 && summary.rejections.length === 0
}

const isWell = await (positionals.length === 0 ? scenarios() : usage())
process.exitCode = isWell ? 0 : 1
