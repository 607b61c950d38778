import { NameForm } from "@chemstream/api"
import { describe, expect, it } from "vitest"

describe("the form in which names are compared", () => {
  it.each([
    ["Bisphenol A", "bisphenol a"],
    ["  Bisphenol \t A ", "bisphenol a"],
    ["Bisphenol  A", "bisphenol a"],
    [" Benzene", "benzene"],
    ["Benzene ", "benzene"],
    ["ﬁsetin", "fisetin"],
    ["H₂O", "h2o"],
    ["５-Ｆ", "5-f"],
    ["Cafe\u0301in", "caféin"],
    ["β,β′-Bis(p‐hydroxyphenyl) Propane", "beta,beta'-bis(p-hydroxyphenyl) propane"],
    [".alpha.-Pinene", "alpha-pinene"],
    ["α-Pinene", "alpha-pinene"],
    ["Α-Pinene", "alpha-pinene"],
    ["ς", "sigma"],
    ["Σ", "sigma"],
    ["ω-Oxy", "omega-oxy"],
    ["a.alphax.b", "a.alphax.b"],
    ["5″", "5''"],
    ['5"', "5''"],
    ["5”", "5''"],
    ["N`,N´,N’", "n',n',n'"],
    ["80–05−7", "80-05-7"],
    ["*acid?", "*acid?"],
    ["\ud800x", "\ufffdx"],
    ["", ""]
  ])("of %j is %j", (text, form) => {
    expect(NameForm.fold(text)).toBe(form)
    expect(NameForm.fold(form)).toBe(form)
  })
})
