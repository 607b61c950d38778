/** A structure, drawn by the service. It is an image, so nothing in it can act on the page. */
import { Effect } from "effect"
import { useEffect, useState } from "preact/hooks"
import { useSession } from "../session.ts"

interface Properties {
  readonly smiles: string | null | undefined
  readonly name: string
  readonly size: "large" | "small"
}

/** The drawing of a SMILES, or the reason why there is none. */
export const StructureImage = ({ name, size, smiles }: Properties) => {
  const { connection } = useSession()
  const [url, setUrl] = useState<string>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (typeof smiles !== "string" || smiles === "") return setProblem("no structure")
    const stop = new AbortController()
    let objectUrl: string | undefined
    setUrl(undefined)
    setProblem(undefined)
    connection.run(Effect.result(connection.structure(smiles, "svg")), stop.signal).then((exit) => {
      if (stop.signal.aborted || exit._tag === "Failure") return
      if (exit.value._tag === "Failure") return setProblem("not drawn")
      objectUrl = URL.createObjectURL(new Blob([exit.value.success], { type: "image/svg+xml" }))
      setUrl(objectUrl)
    })
    return () => {
      stop.abort()
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl)
    }
  }, [connection, smiles])
  if (url !== undefined) return <img class={`structure ${size}`} src={url} alt={`Structure of ${name}`} />
  return <span class={`structure ${size} ${problem === undefined ? "pending" : ""}`}>{problem}</span>
}
