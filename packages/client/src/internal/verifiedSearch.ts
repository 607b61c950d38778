/**
 * The answer to a batch search, verified: each hit belongs to the word its `searchValue` names, and every word has an
 * answer (docs/service.md, section 6). Words are compared in the form in which names are (`NameForm`).
 */
import { NameForm, SearchHit } from "@chemstream/api"
import { Result, Schema } from "effect"
import { type BodyProblem, type BodyReader, json } from "../BodyReader.ts"
import type { Answer } from "../SearchAnswer.ts"
import { refine } from "./readers.ts"

/** Reads the answers to these words, in their order; a word given twice is answered twice. */
export const verified = (words: ReadonlyArray<string>): BodyReader<ReadonlyArray<Answer>> =>
  refine(records, (answered) => {
    const forms = words.map(NameForm.fold)
    const byForm = new Map<string, Array<SearchHit.BatchHit>>(forms.map((form) => [form, []]))
    for (const [index, record] of answered.entries()) {
      const path = `[${index}].searchValue`
      const { searchValue } = record
      if (typeof searchValue !== "string") return refuse(path, "an answer does not say which word it is to")
      const group = byForm.get(NameForm.fold(searchValue))
      if (group === undefined) {
        return refuse(path, `an answer is to ${JSON.stringify(searchValue)}, which was not asked for`)
      }
      group.push(record)
    }
    const answers: Array<Answer> = []
    for (const [index, word] of words.entries()) {
      const group = byForm.get(forms[index] ?? "") ?? []
      const hits = group.filter((record) => !isMiss(record))
      if (group.length === 0) return refuse("", `there is no answer to ${JSON.stringify(word)}`)
      if (hits.length > 0 && hits.length < group.length) {
        return refuse("", `${JSON.stringify(word)} is answered both as found and as not found`)
      }
      answers.push(
        hits.length > 0
          ? { _tag: "Found", word, hits: distinct(hits) }
          : { _tag: "Missing", word, suggestions: suggestionsOf(group) }
      )
    }
    return Result.succeed(answers)
  })

const records = json(Schema.Array(SearchHit.BatchHit))

const refuse = (path: string, reason: string): Result.Result<never, BodyProblem> =>
  Result.fail({ path, reason })

const isMiss = ({ dtxsid }: SearchHit.BatchHit): boolean => dtxsid === null || dtxsid === undefined

/** Two spellings of one word in a batch are answered twice with the same hits. */
const distinct = (hits: ReadonlyArray<SearchHit.BatchHit>): ReadonlyArray<SearchHit.BatchHit> => [
  ...new Map(hits.map((hit) => [JSON.stringify([hit.dtxsid, hit.searchName, hit.searchValue]), hit])).values()
]

const suggestionsOf = (misses: ReadonlyArray<SearchHit.BatchHit>): ReadonlyArray<string> => [
  ...new Set(misses.flatMap(({ suggestions }) => suggestions ?? []).filter((one) => one !== null))
]
