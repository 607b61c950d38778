/** A client with the settings that people write, and its errors. */
import { ChemError, createClient, InvalidOption, type PromiseClient } from "@chemstream/client"
import { serve } from "./serve.ts"

let requests = 0
const { url, stop } = await serve(() => {
  requests++
  return { status: 503 }
})

const attemptsOf = async (retry: PromiseClient.Settings["retry"]): Promise<string> => {
  requests = 0
  const client = await createClient({ baseUrl: url, apiKey: "key", retry, availability: { wait: 0 } })
  try {
    await client.details.byDtxsid("DTXSID7020182")
    return "no error"
  } catch (error) {
    if (!ChemError.isChemError(error)) throw error
    return `${error._tag} ${error instanceof ChemError.CallError} ${error instanceof Error} ${requests}`
  } finally {
    await client.close()
  }
}
console.log(await attemptsOf(2))
console.log(await attemptsOf({ attempts: 3, baseDelay: 1 }))

const refusalOf = async (settings: object): Promise<string> => {
  try {
    const client = await createClient({ baseUrl: url, apiKey: "key", ...settings })
    await client.close()
    return "accepted"
  } catch (error) {
    return error instanceof InvalidOption.InvalidOption ? error.message : `untagged ${error}`
  }
}
console.log(await refusalOf({ retry: { attempt: 3 } }))
console.log(await refusalOf({ limits: { inFlight: 0 } }))

const client = await createClient({
  baseUrl: "http://127.0.0.1:1",
  apiKey: "secret-key",
  retry: 1,
  availability: { wait: 0 }
})
const failed = await client.details.byDtxsid("DTXSID7020182").catch((error: unknown) => error)
await client.close()
if (!ChemError.isChemError(failed)) throw failed
console.log(failed._tag, "cause" in failed, JSON.stringify(failed).includes("secret-key"))
stop()
