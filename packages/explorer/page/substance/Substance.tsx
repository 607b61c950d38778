/** A substance: its structure and facts, the substances of the same MS-ready form, and its bioactivity. */
import * as Chemical from "@chemstream/figures/Chemical"
import { baseUrl, useRequest, useSession } from "../connection.ts"
import { Copy } from "../parts/Copy.tsx"
import { download } from "../parts/download.ts"
import { Problem } from "../parts/Problem.tsx"
import { StructureImage } from "../parts/StructureImage.tsx"
import { href } from "../routing.ts"
import { Bioactivity } from "./Bioactivity.tsx"
import { recordsOf, sameForm } from "./facts.ts"

/** The substance of an identifier. */
export const Substance = ({ id }: { readonly id: string }) => {
  const loaded = useRequest(() => recordsOf(id), [id])
  if (loaded.state === "done") return <Card {...loaded.value} />
  return (
    <>
      <h1>{id}</h1>
      {loaded.state === "failed" ? <Problem failure={loaded.failure} /> : <p role="status">Loading…</p>}
    </>
  )
}

/** The sections whose values people copy. */
const copied = new Set(["Identifiers", "Structure and mass"])

const synonyms = 40

const Card = (chemical: Chemical.Chemical) => {
  const { details, id, summary } = chemical
  const name = Chemical.nameOf(chemical)
  return (
    <article>
      <h1>{name}</h1>
      <div class="card">
        <StructureImage smiles={Chemical.smilesOf(chemical)} name={name} size="large" />
        <div class="facts">
          {Chemical.factsOf(chemical, { synonyms }).map(({ facts, title }) => (
            <section key={title}>
              <h2>{title}</h2>
              <dl>
                {facts.map(({ label, value }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>
                      {value} {copied.has(title) ? <Copy text={value} what={label} /> : null}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
      {typeof details?.dtxcid === "string" ? <SameForm dtxcid={details.dtxcid} /> : null}
      <Bioactivity dtxsid={id} name={name} summary={summary} />
      <Elsewhere id={id} />
    </article>
  )
}

const SameForm = ({ dtxcid }: { readonly dtxcid: string }) => {
  const loaded = useRequest(() => sameForm(dtxcid), [dtxcid])
  if (loaded.state === "pending") return null
  return (
    <section>
      <h2>Substances of the same MS-ready form</h2>
      {loaded.state === "failed" ? (
        <Problem failure={loaded.failure} />
      ) : loaded.value.records.length === 0 ? (
        <p class="note">None is known.</p>
      ) : (
        <ul>
          {loaded.value.records.map(({ dtxsid, molFormula, preferredName }) => (
            <li key={dtxsid}>
              <a href={href({ view: "substance", id: dtxsid ?? "" })}>{preferredName ?? dtxsid}</a>{" "}
              <span class="note">{molFormula}</span>
            </li>
          ))}
          {loaded.value.more === 0 ? null : <li class="note">and {loaded.value.more} more</li>}
        </ul>
      )}
    </section>
  )
}

/** The path of the record, which the command writes, too. */
const pathOf = (id: string): string => `/chemical/detail/search/by-dtxsid/${encodeURIComponent(id)}`

const Elsewhere = ({ id }: { readonly id: string }) => {
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
        The same with the command: <code>{command}</code> <Copy text={command} what="the command" />
      </p>
    </section>
  )
}
