/** The start page below the search box: what the service has, examples, and the views for many substances. */
import { Rows } from "@chemstream/api"
import { hasRecords, isBySubstance, rowsOf } from "../families/familySections.ts"
import { href } from "../routing.ts"
import { useService } from "../session.ts"
import { Result } from "./Search.tsx"

const families = Rows.families.flatMap((family) => {
  const rows = rowsOf(family).filter(isBySubstance)
  return rows.length === 0 ? [] : [{ ...family, rows }]
})

const views = [
  ["list", "List", "Find the substances of a list or table: names, CAS numbers, SMILES, InChIKeys"],
  ["suspects", "Suspects", "Find candidates for the m/z of a feature table, with mass errors and ranks"],
  ["harvests", "Harvests", "Watch long runs over many machines"]
] as const

/** Shows examples of the substances of the service, and the views for many substances. */
export const StartPage = () => {
  const service = useService()
  return (
    <>
      {service === undefined || service.examples.length === 0 ? null : (
        <section aria-labelledby="examples">
          <h2 id="examples">Some of {service.substances.toLocaleString("en")} substances</h2>
          <ol class="results">
            {service.examples.map(({ casrn, dtxsid, molFormula, preferredName, smiles }) => (
              <Result
                key={dtxsid}
                {...{ id: dtxsid, name: preferredName ?? dtxsid, casrn, formula: molFormula, smiles }}
              />
            ))}
          </ol>
        </section>
      )}
      <section>
        <h2>Records of a substance</h2>
        <dl class="families">
          {families.map(({ description, rows, title, word }) => {
            const isAbsent = service !== undefined && !hasRecords(service, rows)
            return (
              <div key={word}>
                <dt>
                  <span class={`status ${isAbsent ? "absent" : "found"}`}>{title}</span>
                  {isAbsent ? ": none here" : ""}
                </dt>
                <dd>{description}</dd>
              </div>
            )
          })}
        </dl>
      </section>
      <section>
        <h2>Many substances</h2>
        <dl class="families">
          {views.map(([view, title, description]) => (
            <div key={view}>
              <dt>
                <a href={href({ view })}>{title}</a>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
