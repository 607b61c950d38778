/**
 * Makes measurements comparable: the programs take turns, so that other work on the machine affects all of them.
 */

/** Returns the result of each measurement in each round. Warm-up rounds come first and do not count. */
export const alternate = async <Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
  warmUps = 1
): Promise<Record<Name, Array<number>>> => {
  const names = Object.keys(measures) as Array<Name>
  const results = Object.fromEntries(names.map((name): [Name, Array<number>] => [name, []])) as Record<
    Name,
    Array<number>
  >
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      const value = await measures[name]()
      if (round >= 0) results[name].push(value)
    }
  }
  return results
}

/** Returns the duration of an action, in seconds. */
export const timed = async (work: () => unknown): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
