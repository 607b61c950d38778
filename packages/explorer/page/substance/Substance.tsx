/**
 * Shows a substance: its structure and facts, the substances with the same MS-ready form, its bioactivity, and its
 * further data by family.
 */
import * as Chemical from "@chemstream/figures/Chemical"
import { baseUrl, useRequest, useSession } from "../connection.ts"
import { Families } from "../families/Families.tsx"
import { Copy } from "../parts/Copy.tsx"
import { download } from "../parts/download.ts"
import { Problem } from "../parts/Problem.tsx"
import { StructureImage } from "../parts/StructureImage.tsx"
import { href } from "../routing.ts"
import { Bioactivity } from "./Bioactivity.tsx"
import { recordsOf, sameMsReadyForm } from "./facts.ts"

/** The substance of an identifier. */
export const Substance = ({ id }: { readonly id: string }) => {
  const request = useRequest(() => recordsOf(id), [id])
  if (request.state === "done") return <Card {...request.value} />
  return (
    <>
      <h1>{id}</h1>
      {request.state === "failed" ? <Problem failure={request.failure} /> : <p role="status">Loading…</p>}
    </>
  )
}

/** The sections whose values people copy. */
const copyableSections = new Set(["Identifiers", "Structure and mass"])

/** The maximum number of synonyms in the card. */
const maxSynonyms = 40

const Card = (chemical: Chemical.Chemical) => {
  const { details, id, summary } = chemical
  const name = Chemical.nameOf(chemical)
  return (
    <article>
      <h1>{name}</h1>
      <div class="card">
        <StructureImage smiles={Chemical.smilesOf(chemical)} name={name} size="large" />
        <div class="facts">
          {Chemical.factsOf(chemical, { synonyms: maxSynonyms }).map(({ facts, title }) => (
            <section key={title}>
              <h2>{title}</h2>
              <dl>
                {facts.map(({ label, value }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>
                      {value} {copyableSections.has(title) ? <Copy text={value} name={label} /> : null}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
      {typeof details?.dtxcid === "string" ? <SameMsReadyForm dtxcid={details.dtxcid} /> : null}
      <Bioactivity dtxsid={id} name={name} summary={summary} />
      <Families dtxsid={id} />
      <OtherFormats id={id} />
    </article>
  )
}

const SameMsReadyForm = ({ dtxcid }: { readonly dtxcid: string }) => {
  const request = useRequest(() => sameMsReadyForm(dtxcid), [dtxcid])
  if (request.state === "pending") return null
  return (
    <section>
      <h2>Substances with the same MS-ready form</h2>
      {request.state === "failed" ? (
        <Problem failure={request.failure} />
      ) : request.value.records.length === 0 ? (
        <p class="note">None is known.</p>
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
      if (exit._tag === "Success") download(`${id}.json`, "application/json", [exit.value])
    })
  return (
    <section class="no-print">
      <h2>This record elsewhere</h2>
      <p>
        JSON: <code>{`${baseUrl}${pathOf(id)}`}</code>{" "}
        <button type="button" class="quiet" onClick={save}>
          Download
        </button>
      </p>
      <p>
        The same with the command: <code>{command}</code> <Copy text={command} name="the command" />
      </p>
    </section>
  )
}
