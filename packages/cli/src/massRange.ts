/**
 * The lookup of MS-ready substances in a mass range, written `A,B` in dalton: what `--range` asks for.
 */
import { Dtxsid, InvalidIdentifier, MassRange } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import type { Lookup } from "@chemstream/stream"
import { Effect, Result, Schema } from "effect"

const rangeOf = (text: string): Result.Result<MassRange.MassRange, InvalidIdentifier.InvalidIdentifier> => {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)))
  const [start = Number.NaN, end = Number.NaN] = parts
  return parts.length === 2 && parts.every(Number.isFinite)
    ? MassRange.make(start, end)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "mass range",
          value: text,
          reason: "malformed",
          message: `${JSON.stringify(text)} is not a mass range: two masses in dalton, e.g. 200.9,200.95`
        })
      )
}

/** One record `{"query","dtxsid"}` a substance. */
export const massRange: Lookup.Lookup<RawRecord.RawRecord> = {
  endpoint: "msready.byMass",
  parse: (text) => Result.map(rangeOf(text), ({ end, start }) => `${start},${end}`),
  verify: Result.succeed,
  size: 1,
  multiplicity: "many",
  record: Schema.Struct({ query: Schema.String, dtxsid: Dtxsid.Dtxsid }),
  ask: (ids) =>
    Effect.gen(function* () {
      const client = yield* ChemClient.ChemClient
      const answers = yield* Effect.forEach(ids, (id) => {
        const params = Result.getOrThrow(rangeOf(id))
        const asked = client.raw("msready.byMass", { params }, (body) =>
          Result.mapError(
            Result.andThen(RawRecord.check(RawRecord.fromBytes(body)), () => RawArray.cut(body)),
            ({ message, offset }) => ({ path: `byte ${offset}`, reason: message })
          )
        )
        // What a run asks for has been parsed.
        return Effect.map(Effect.catchTag(asked, "InvalidIdentifier", Effect.die), (dtxsids) =>
          dtxsids.map((dtxsid) => ({
            key: id,
            record: RawRecord.fromText(
              `{"query":${JSON.stringify(id)},"dtxsid":${RawRecord.toText(dtxsid).trim()}}`
            )
          }))
        )
      })
      return { records: answers.flat() }
    })
}
