/** The facts that people look for first: identifiers, formula, masses, counts of assays and calls of hazard. */
import { Hazard, type Row } from "@chemstream/api"
import type * as Chemical from "@chemstream/figures/Chemical"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import { hasRecords, recordsOf } from "../families/familySections.ts"
import { isExample } from "../families/familyTable.ts"
import { CopyButton } from "../parts/CopyButton.tsx"
import { useRequest, useService } from "../session.ts"

/** The strip of facts. */
export const KeyFacts = ({
  chemical: { details, id, summary }
}: {
  readonly chemical: Chemical.Chemical
}) => {
  const { active, label, tested } = activityOf(details, summary)
  return (
    <>
      <div class="tools">
        <Identifier name="DTXSID" text={id} />
        {typeof details?.casrn === "string" ? <Identifier name="CAS number" text={details.casrn} /> : null}
      </div>
      <dl class="strip">
        <Fact label="Formula">
          {typeof details?.molFormula === "string" ? <Formula text={details.molFormula} /> : null}
        </Fact>
        <Fact label="Monoisotopic mass (Da)">{details?.monoisotopicMass}</Fact>
        <Fact label="Average mass (Da)">{details?.averageMass}</Fact>
        <Fact label={label}>{typeof tested === "number" ? `${active ?? "?"} of ${tested}` : null}</Fact>
        <Call label="Genotoxicity" row={Hazard.genetox} field="genetoxCall" dtxsid={id} />
        <Call label="Cancer" row={Hazard.cancer} field="cancerCall" dtxsid={id} />
      </dl>
    </>
  )
}

/** Returns counts of one source: the assays of the details, or the data records of the summary. */
const activityOf = (details: Chemical.Chemical["details"], summary: Chemical.Chemical["summary"]) =>
  typeof details?.totalAssays === "number" || typeof summary?.totalMc !== "number"
    ? { label: "Active assays", active: details?.activeAssays, tested: details?.totalAssays }
    : { label: "Active records", active: summary.activeMc, tested: summary.totalMc }

const Identifier = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <span class="whole">
    <span class="note">{name}</span> {text}
    <CopyButton text={text} name={name} />
  </span>
)

/** A fact, or a dash if it is unknown. */
const Fact = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children ?? "–"}</dd>
  </div>
)

/** A formula with its numbers below the line. */
const Formula = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/((?<=[A-Za-z\])])\d+)/)
      .map((part, at) => (at % 2 === 1 ? <sub key={at}>{part}</sub> : part))}
  </>
)

interface CallProperties {
  readonly label: string
  readonly row: Row.Row
  readonly field: string
  readonly dtxsid: string
}

/** The most calls in a fact. */
const maxCalls = 2

/** The calls of the sources of a row. */
const Call = ({ dtxsid, field, label, row }: CallProperties) => {
  const service = useService()
  const isKnown = service !== undefined && hasRecords(service, [row])
  const request = useRequest(
    () => (isKnown ? recordsOf(row, dtxsid) : Effect.succeed([])),
    [isKnown, row, dtxsid]
  )
  if (request.state !== "done") return <Fact label={label}>{request.state === "pending" ? "…" : null}</Fact>
  const calls = [...new Set(request.value.map((record) => RawRecord.value(record, field)))].filter(
    (call) => typeof call === "string" && call !== ""
  )
  return (
    <Fact label={request.value.some(isExample) ? `${label} (made up)` : label}>
      {calls.length === 0
        ? null
        : `${calls.slice(0, maxCalls).join("; ")}${calls.length > maxCalls ? ` and ${calls.length - maxCalls} more` : ""}`}
    </Fact>
  )
}
