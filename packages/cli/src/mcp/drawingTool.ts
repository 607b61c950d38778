/**
 * The tool that draws a structure. The toolkit does not support pictures as results, so this tool is registered by hand.
 */
import { type DetailRecord, Dtxsid, JsonSchema } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Png, Properties, Structure } from "@chemstream/figures"
import { Details } from "@chemstream/stream"
import { Context, Effect, Result, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { errorResult } from "./argumentCheck.ts"
import { DrawingParameters, DrawingResult } from "./specialTools.ts"
import { lookUp } from "./toolLookups.ts"
import { toolFailure } from "./toolResults.ts"

const name = "structure_image"

/** Registers the tool. */
export const register = Effect.gen(function* () {
  const server = yield* McpServer.McpServer
  const client = yield* ChemClient.ChemClient
  yield* server.addTool({
    tool: new McpSchema.Tool({
      name,
      title: "Draw a structure",
      description: "Draws the structure of a substance, given as DTXSID or SMILES, and gives its InChIKey.",
      inputSchema: { ...(yield* schemaOf(DrawingParameters)), additionalProperties: false },
      outputSchema: yield* schemaOf(DrawingResult),
      annotations: {
        title: "Draw a structure",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true
      }
    }),
    annotations: Context.empty(),
    handle: (payload) =>
      Schema.decodeUnknownEffect(DrawingParameters)(payload ?? {}).pipe(
        // `argumentCheck.ts` has checked them.
        Effect.orDie,
        Effect.flatMap((given) => draw(given, server.notifications)),
        Effect.provideService(ChemClient.ChemClient, client),
        Effect.catch(({ message }) => Effect.succeed(errorResult(message)))
      )
  })
})

const schemaOf = (schema: Schema.Constraint) =>
  Effect.orDie(Schema.decodeUnknownEffect(McpSchema.ToolJson)(JsonSchema.of(schema)))

const draw = (
  { format, identifier }: typeof DrawingParameters.Type,
  notifications: McpServer.McpServer["Service"]["notifications"]
) =>
  Effect.gen(function* () {
    const dtxsid = Dtxsid.parse(identifier)
    const smiles = Result.isSuccess(dtxsid)
      ? yield* smilesOf(dtxsid.success, notifications)
      : identifier.trim()
    const title = Result.isSuccess(dtxsid) ? dtxsid.success : "chemical structure"
    const svg = yield* Structure.toSvg(smiles, { title, width: 480, height: 360, palette: "elements" }).pipe(
      Effect.mapError(({ message }) =>
        toolFailure(`${identifier} cannot be drawn: ${message}. Give a DTXSID or a SMILES.`)
      )
    )
    const vector = { data: new TextEncoder().encode(svg), mimeType: "image/svg+xml" }
    const { data, mimeType } =
      format === "svg"
        ? vector
        : yield* Png.fromSvg(svg).pipe(
            Effect.map((bytes) => ({ data: bytes, mimeType: "image/png" })),
            Effect.catch((error) =>
              error._tag === "MissingPackage" && format === undefined
                ? Effect.succeed(vector)
                : toolFailure(error.message)
            )
          )
    const inchikey = yield* Effect.orElseSucceed(Properties.inchikey(smiles), () => null)
    const result: typeof DrawingResult.Type = { identifier, smiles, inchikey, mimeType }
    return new McpSchema.CallToolResult({
      structuredContent: result,
      content: [
        { type: "text", text: JSON.stringify(result) },
        { type: "image", data, mimeType }
      ]
    })
  })

const smilesOf = (dtxsid: string, notifications: McpServer.McpServer["Service"]["notifications"]) =>
  Effect.gen(function* () {
    const lookup = Details.byDtxsid({ projection: "compact" })
    const { entries } = yield* lookUp([dtxsid], lookup, notifications)
    const [entry] = entries
    const smiles = (entry?.records[0] as DetailRecord.DetailRecord<"compact"> | undefined)?.smiles
    if (smiles) return smiles
    const why = entry?.status === "found" ? "it has no structure" : entry?.reason
    return yield* toolFailure(`${dtxsid} cannot be drawn: ${why}.`)
  })
