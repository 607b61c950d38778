/**
 * Makes measurements comparable: the measured programs take turns, so that other work on the machine affects all of them.
 */

/** Returns the result of each measurement in each round, after some rounds that only warm up. */
export const alternate = async <Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
  warmUps = 1
): Promise<Record<Name, Array<number>>> => {
  const names = Object.keys(measures) as Array<Name>
  const found = Object.fromEntries(names.map((name): [Name, Array<number>] => [name, []])) as Record<
    Name,
    Array<number>
  >
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      const value = await measures[name]()
      if (round >= 0) found[name].push(value)
    }
  }
  return found
}

/** Returns the duration of an action, in seconds. */
export const timed = async (work: () => unknown): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
