import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { DatabaseAddress } from "@slipway/sql"
import { Redacted, Result, Schema } from "effect"

const kinds = ["", "memory:", "file:", "file://", "postgres://", "postgresql://u:p@", "postgres:///?port="]

const message = (text: string): string =>
  Result.match(DatabaseAddress.parse(text), {
    onFailure: (error) => error.message,
    onSuccess: (address) => expect.fail(`read as ${address._tag}`)
  })

describe("DatabaseAddress", () => {
  it("parses the three forms of an address", () => {
    expect(Result.getOrThrow(DatabaseAddress.parse("memory:"))).toEqual({ _tag: "Memory" })
    expect(Result.getOrThrow(DatabaseAddress.parse(" file:./data "))).toEqual({ _tag: "Embedded", directory: "./data" })
    expect(Result.getOrThrow(DatabaseAddress.parse("file:/srv/a b"))).toEqual({
      _tag: "Embedded",
      directory: "/srv/a b"
    })
    expect(Result.getOrThrow(DatabaseAddress.parse("file:///srv/a%20b"))).toEqual({
      _tag: "Embedded",
      directory: "/srv/a b"
    })
    const server = Result.getOrThrow(
      DatabaseAddress.parse("postgresql://ada:s%40crt@db.example:6543/forge?sslmode=require")
    )
    expect(server).toMatchObject({ _tag: "Server", location: "db.example:6543/forge" })
    expect(server._tag === "Server" && Redacted.value(server.url)).toContain("s%40crt")
    expect(Result.getOrThrow(DatabaseAddress.parse("postgres:///forge?host=/run/postgresql"))).toMatchObject({
      location: "/run/postgresql:5432/forge"
    })
  })

  it("reports the error in an invalid address", () => {
    expect(message("")).toContain("is empty")
    expect(message("mysql://x")).toContain("unknown scheme")
    expect(message("./data")).toContain("unknown scheme")
    expect(message("memory:x")).toContain("nothing after the colon")
    expect(message("file:")).toContain("names no directory")
    expect(message("file://host/data")).toContain("third slash")
    expect(message("file:///%zz")).toContain("percent-encoding")
    expect(message("file:a\0b")).toContain("null byte")
    expect(message("postgres://u:p@h:99999/d")).toContain("not a URL")
    expect(message("postgres://u:p@h/d?port=0")).toContain("port")
    expect(message("postgres://u:%zz@h/d")).toContain("percent-encoding")
    expect(message("postgres://u:p@h/d?sslmode=maybe")).toContain("unknown sslmode")
    expect(message("postgres://u:pa#ss@h/d")).toMatch(/not a URL|%23/)
  })

  it("never shows a password of a valid or invalid address", () => {
    const secret = "hunter2"
    for (const text of [
      `postgres://u:${secret}@h/d`,
      `postgres://u:${secret}@h:0x/d`,
      `postgres://u:${secret}@h/d?sslmode=${secret}`,
      `postgres://u:${secret}%@h/d`,
      `pg://u:${secret}@h/d`,
      `postgres://u:#${secret}@h/d`
    ]) {
      const shown =
        inspect(DatabaseAddress.parse(text), { depth: 9 }) + JSON.stringify(DatabaseAddress.parse(Redacted.make(text)))
      expect(shown).not.toContain(secret)
    }
  })

  it.prop(
    "accepts or rejects every text without an exception",
    [Schema.Literals(kinds), Schema.String],
    ([kind, rest]) => {
      expect(Result.isResult(DatabaseAddress.parse(kind + rest))).toBe(true)
    }
  )
})
