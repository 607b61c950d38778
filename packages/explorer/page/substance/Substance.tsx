/**
 * Shows a substance: its structure and key facts, and tabs with its identifiers, its bioactivity and each family of records. A tab
 * sends its requests when it is first opened.
 */
import * as Chemical from "@chemstream/figures/Chemical"
import { baseUrl } from "../connection.ts"
import { sections } from "../families/familySections.ts"
import { CopyButton } from "../parts/CopyButton.tsx"
import { LazyView } from "../parts/LazyView.tsx"
import { Empty, Loading, Problem } from "../parts/StateMessages.tsx"
import { StructureImage } from "../parts/StructureImage.tsx"
import { saveFile } from "../parts/saveFile.ts"
import { Tabs } from "../parts/Tabs.tsx"
import { go, href } from "../routing.ts"
import { useRequest, useSession } from "../session.ts"
import { KeyFacts } from "./KeyFacts.tsx"
import { chemicalOf, sameMsReadyForm } from "./substanceRequests.ts"

interface Properties {
  readonly id: string
  /** The word of the chosen tab. */
  readonly tab: string | undefined
}

/** The substance of an identifier. */
export const Substance = ({ id, tab }: Properties) => {
  const request = useRequest(() => chemicalOf(id), [id])
  if (request.state === "done") return <Card chemical={request.value} id={id} tab={tab} />
  if (request.state === "failed")
    return (
      <>
        <h1>{id}</h1>
        <Problem {...request} />
      </>
    )
  return (
    <div class="head">
      <span class="structure large pending" />
      <div>
        <h1>{id}</h1>
        <Loading />
      </div>
    </div>
  )
}

/** The word of the first tab. */
const summary = "summary"

const Card = ({ chemical, id, tab }: Properties & { readonly chemical: Chemical.Chemical }) => {
  const name = Chemical.nameOf(chemical)
  const dtxsid = chemical.id
  return (
    <article>
      <div class="head">
        <StructureImage smiles={Chemical.smilesOf(chemical)} name={name} size="large" />
        <div>
          <h1>{name}</h1>
          <KeyFacts chemical={chemical} />
        </div>
      </div>
      <Tabs
        label={`Records of ${name}`}
        chosen={tab}
        choose={(word) => go({ view: "substance", id, tab: word === summary ? undefined : word })}
        tabs={[
          { word: summary, title: "Summary", panel: () => <Summary {...chemical} /> },
          {
            word: "bioactivity",
            title: "Bioactivity",
            panel: () => (
              <LazyView>
                {({ bioactivity: Bioactivity }) => (
                  <Bioactivity dtxsid={dtxsid} name={name} summary={chemical.summary} />
                )}
              </LazyView>
            )
          },
          ...sections.map((section) => ({
            ...section,
            panel: () => (
              <LazyView>{({ family: Family }) => <Family section={section} dtxsid={dtxsid} />}</LazyView>
            )
          }))
        ]}
      />
    </article>
  )
}

/** The sections whose values people copy. */
const copyableSections = new Set(["Identifiers", "Structure and mass"])

/** The maximum number of synonyms in the card. */
const maxSynonyms = 40

const Summary = (chemical: Chemical.Chemical) => (
  <>
    {Chemical.factsOf(chemical, { synonyms: maxSynonyms }).map(({ facts, title }) => (
      <section key={title}>
        <h2>{title}</h2>
        <dl class="facts">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <span class={value.length <= 28 ? "whole" : undefined}>{value}</span>
                {copyableSections.has(title) ? <CopyButton text={value} name={label} /> : null}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
    {typeof chemical.details?.dtxcid === "string" ? (
      <SameMsReadyForm dtxcid={chemical.details.dtxcid} />
    ) : null}
    <OtherFormats id={chemical.id} />
  </>
)

const SameMsReadyForm = ({ dtxcid }: { readonly dtxcid: string }) => {
  const request = useRequest(() => sameMsReadyForm(dtxcid), [dtxcid])
  return (
    <section>
      <h2>Substances with the same MS-ready form</h2>
      {request.state === "pending" ? (
        <Loading />
      ) : request.state === "failed" ? (
        <Problem {...request} />
      ) : request.value.records.length === 0 ? (
        <Empty title="None is known" />
      ) : (
        <ul>
          {request.value.records.map(({ dtxsid, molFormula, preferredName }) => (
            <li key={dtxsid}>
              <a href={href({ view: "substance", id: dtxsid ?? "" })}>{preferredName ?? dtxsid}</a>{" "}
              <span class="note">{molFormula}</span>
            </li>
          ))}
          {request.value.more === 0 ? null : <li class="note">and {request.value.more} more</li>}
        </ul>
      )}
    </section>
  )
}

/** Returns the path of the record. The command writes the same record. */
const pathOf = (id: string): string => `/chemical/detail/search/by-dtxsid/${encodeURIComponent(id)}`

const OtherFormats = ({ id }: { readonly id: string }) => {
  const { connection } = useSession()
  const command = `chemstream details ${id}`
  const save = () =>
    connection.run(connection.text(pathOf(id))).then((exit) => {
      if (exit._tag === "Success") saveFile(`${id}.json`, "application/json", [exit.value])
    })
  return (
    <section class="no-print">
      <h2>This record elsewhere</h2>
      <dl class="facts">
        <div>
          <dt>JSON</dt>
          <dd>
            <code>{`${baseUrl}${pathOf(id)}`}</code>{" "}
            <button type="button" class="quiet" onClick={save}>
              Download
            </button>
          </dd>
        </div>
        <div>
          <dt>The same with the command</dt>
          <dd>
            <code>{command}</code>
            <CopyButton text={command} name="the command" />
          </dd>
        </div>
      </dl>
    </section>
  )
}
