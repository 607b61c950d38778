/** The page: the form for the key, or the view of the current address. */
import { render } from "preact"
import { useMemo, useState } from "preact/hooks"
import * as ApiKey from "./apiKey.ts"
import { baseUrl, connect } from "./connection.ts"
import { KeyForm } from "./KeyForm.tsx"
import { SessionContext } from "./session.ts"
import { Views } from "./Views.tsx"

const Page = ({ isLinkUsed }: { readonly isLinkUsed: boolean }) => {
  const [key, setKey] = useState(ApiKey.key)
  const [problem, setProblem] = useState(
    isLinkUsed ? "This link was used before. Enter the key instead, or start the service again." : undefined
  )
  const session = useMemo(() => {
    const leave = (why: string | undefined) => {
      ApiKey.forget()
      setProblem(why)
      setKey(null)
    }
    return key === null
      ? undefined
      : {
          connection: connect(key),
          onKeyRejected: () => leave("The service refuses this key. Check it and enter it again."),
          leave: () => leave(undefined)
        }
  }, [key])
  if (session === undefined) {
    const enter = (entered: string) => {
      ApiKey.keep(entered)
      setKey(entered)
    }
    return <KeyForm problem={problem} enter={enter} />
  }
  return (
    <SessionContext.Provider value={session}>
      <Views leave={session.leave} />
    </SessionContext.Provider>
  )
}

const isOpened = await ApiKey.openLink(baseUrl)
render(<Page isLinkUsed={!isOpened} />, document.getElementById("page") as HTMLElement)
