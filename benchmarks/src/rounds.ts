/**
 * Measurements that can be compared: what is measured takes turns, so that other work on the machine meets all of it.
 */

/** What each measure came to in each round, after some that only warm up. */
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

/** The seconds that something takes. */
export const timed = async (work: () => unknown): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
