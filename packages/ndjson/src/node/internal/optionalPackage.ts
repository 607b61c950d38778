/** Loads packages that a program need not install, e.g. `apache-arrow`, when their format is first used. */
import * as Effect from "effect/Effect"
import { MissingPackage } from "../MissingPackage.ts"

/** A package; `load` is its `import()`, `purpose` begins the message. */
export const optional = <A>(
  name: string,
  purpose: string,
  load: () => Promise<A>
): Effect.Effect<A, MissingPackage> =>
  Effect.tryPromise({
    try: load,
    catch: (cause) =>
      new MissingPackage({
        package: name,
        message: `${purpose} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
        cause
      })
  })
