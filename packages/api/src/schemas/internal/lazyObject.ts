/** Returns an object that is made when it is first read. A command loads the records of all families, and reads few of them. */
export const lazy = <A extends object>(make: () => A): A => {
  let made: A | undefined
  const read = (): A => {
    made ??= make()
    return made
  }
  return new Proxy({} as A, {
    get: (_, name) => Reflect.get(read(), name),
    has: (_, name) => Reflect.has(read(), name),
    ownKeys: () => Reflect.ownKeys(read()),
    getPrototypeOf: () => Reflect.getPrototypeOf(read()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(read(), name)
      return descriptor && { ...descriptor, configurable: true }
    }
  })
}
