/** A process that writes its own entries into a shared file. */
import { DiskCache } from "@chemstream/client/node"
import { Effect } from "effect"

const [file = "", name = "", count = ""] = process.argv.slice(2)

await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(DiskCache.make({ file }), (store) =>
      Effect.forEach(
        Array.from({ length: Number(count) }, (_, n) => n),
        (n) =>
          store.put(`${name} ${n}`, {
            kind: "found",
            body: new TextEncoder().encode(`${name} body ${n}`),
            etag: undefined,
            storedAt: n
          })
      )
    )
  )
)
