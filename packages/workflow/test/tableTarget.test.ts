// Tests the parsing of table targets.
import { TableTarget } from "@chemstream/workflow"
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"

describe("a target of tables", () => {
  const parse = (text: string, environment = {}) => TableTarget.parse(text, environment)

  it("is a file of DuckDB or SQLite with a table, or an address of Postgres", () => {
    expect(parse("a/b.duckdb#t")).toEqual(Result.succeed({ _tag: "Duckdb", file: "a/b.duckdb", table: "t" }))
    expect(parse("b.db#my table")).toEqual(
      Result.succeed({ _tag: "Sqlite", file: "b.db", table: "my table" })
    )
    expect(Result.getOrThrow(parse("postgres://me@host/db#s.t"))).toMatchObject({
      place: "host/db",
      schema: "s",
      table: "t"
    })
    expect(["a.duckdb", "a.sqlite#t", "postgresql://x/y#z"].every(TableTarget.isTarget)).toBe(true)
    expect(["a.ndjson", "a#b.csv", "db", "a.parquet#t"].some(TableTarget.isTarget)).toBe(false)
  })

  it("completes an address from the PG variables, and shows no password", () => {
    const variables = {
      PGHOST: "db.local",
      PGPORT: "6543",
      PGUSER: "ann",
      PGPASSWORD: "s3cret/",
      PGDATABASE: "chem"
    }
    const target = Result.getOrThrow(parse("postgres:///#t", variables))
    if (target._tag !== "Postgres") throw new Error("it is not a Postgres")
    expect(Redacted.value(target.url)).toBe("postgres://ann:s3cret%2F@db.local:6543/chem")
    expect(JSON.stringify(target)).not.toContain("s3cret")
    expect(target.place).toBe("db.local:6543/chem")
    const own = Result.getOrThrow(parse("postgres://bob:pw@other:1/own#t", variables))
    expect(own._tag === "Postgres" && Redacted.value(own.url)).toBe("postgres://bob:pw@other:1/own")
  })

  it.each([
    "postgres://ann:s3cret%2F@h:1/d#s.t",
    "postgres://ann@h:1/d?password=s3cret%2F#s.t",
    "postgres://h/d?user=ann&port=1&password=s3cret%2F#s.t",
    "postgres:///x?host=h&port=1&dbname=d&user=ann&password=s3cret%2F&sslpassword=s3cret#s.t"
  ])(
    "has its password, its host and its user in one place, and is stored without the password: %s",
    (text) => {
      const target = Result.getOrThrow(parse(text))
      if (target._tag !== "Postgres") throw new Error("it is not a Postgres")
      expect(Redacted.value(target.url)).toBe("postgres://ann:s3cret%2F@h:1/d")
      expect(target.place).toBe("h:1/d")
      expect(TableTarget.toText(target)).toBe("postgres://ann@h:1/d#s.t")
      expect(TableTarget.nameOf(target)).toBe("postgres://h:1/d#s.t")
    }
  )

  it("keeps the other parameters of an address, and the folder of a socket", () => {
    const target = Result.getOrThrow(parse("postgres:///d?host=/run/pg&sslmode=require&password=x#t"))
    expect(TableTarget.toText(target)).toMatch(/\/d\?host=%2Frun%2Fpg&sslmode=require#t$/)
  })

  it.each([
    ["b.sqlite", /name the table, too: b\.sqlite#details/],
    ["b.sqlite#a.b", /cannot contain a dot/],
    ["postgres://h/d", /name the table, too/],
    ["postgres://h/d#a.b.c", /name the table, too/],
    [`postgres://h/d#${"x".repeat(60)}`, /too long for Postgres/]
  ])("is refused without a writable table: %s", (text, message) => {
    expect(Result.getOrThrow(Result.flip(parse(text))).message).toMatch(message)
  })
})
