import { describe, expect, it } from "@effect/vitest"
import { codeText, codeWords, isIndexedPath, matchCode, parseCodeQuery } from "../../../src/forge/code/index.ts"

describe("the words of code", () => {
  it("are identifiers and their parts in lower case, without repeats", () => {
    expect(codeWords("const userName = HTTPServer2.user_id ?? userName")).toEqual([
      "const",
      ...["username", "user", "name"],
      ...["httpserver2", "http", "server2"],
      ...["user_id", "id"]
    ])
    expect(codeWords("straße naïve नमस्ते 你好 a _ __x a1B2")).toEqual([
      "strasse",
      "naïve",
      "नमस्ते",
      "你好",
      "__x",
      "a1b2",
      "a1",
      "b2"
    ])
  })

  it("are limited in length and number", () => {
    expect(codeWords("x".repeat(500))).toEqual(["x".repeat(64)])
    const [long = ""] = codeWords(`a${"\u{20000}".repeat(60)}`)
    expect([long.length, long.isWellFormed()]).toEqual([63, true])
    expect(codeWords(Array.from({ length: 9_000 }, (_, at) => `w${at}`).join(" "))).toHaveLength(5_000)
    const many = codeWords(Array.from({ length: 4_900 }, (_, at) => `${"y".repeat(58)}${at}`).join(" "))
    expect(many.join("").length).toBeLessThanOrEqual(200_000)
    expect(many.length).toBeGreaterThan(3_000)
  })

  it("take time in proportion to the text", () => {
    const began = performance.now()
    for (const text of ["a".repeat(512 * 1024), "aB".repeat(256 * 1024), "_".repeat(512 * 1024)]) codeWords(text)
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it("are not read from binary files, and not from files with long or invalid paths", () => {
    expect(codeText(new TextEncoder().encode("a\0b"))).toBeUndefined()
    expect(codeText(new TextEncoder().encode("añb"))).toBe("añb")
    expect([isIndexedPath("a/ü b"), isIndexedPath("x".repeat(501)), isIndexedPath("a\udcff")]).toEqual([
      true,
      false,
      false
    ])
  })
})

describe("a query of code search", () => {
  it("consists of words and exact texts", () => {
    expect(parseCodeQuery("User.find user x")).toEqual({
      words: ["user", "find"],
      loose: ["user", "find"],
      phrases: []
    })
    expect(parseCodeQuery('id "return users.get(id)" "open')).toEqual({
      words: ["id", "return", "users", "get", "open"],
      loose: ["id"],
      phrases: ["return users.get(id)", "open"]
    })
    for (const text of ["", '""', "=>", "x y", '" "']) expect(parseCodeQuery(text).words).toEqual([])
    expect(parseCodeQuery(Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ")).words).toHaveLength(16)
  })

  it("finds lines by the beginning of a word or of a part, ignoring case, with context", () => {
    const text = "one\ntwo getUserName\nthree\nfour\nfive USERS\n"
    const lines = (query: string) =>
      matchCode(text, parseCodeQuery(query))?.lines.map(({ match, number }) => (match ? `${number}!` : `${number}`))
    expect(lines("user")).toEqual(["1", "2!", "3", "4", "5!"])
    expect(lines("name")).toEqual(["1", "2!", "3"])
    expect(lines("ser")).toEqual([])
    expect(lines("one two")).toEqual(["1!", "2!", "3"])
    const rare = matchCode(`${"const a\n".repeat(20)}needle\n`, parseCodeQuery("const needle"))?.lines ?? []
    expect(rare.filter(({ match }) => match).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 20, 21])
  })

  it("requires exact texts, also in their case", () => {
    const text = "Return x\nreturn x(1)\n"
    expect(matchCode(text, parseCodeQuery('"return x"'))).toEqual({
      count: 1,
      lines: [
        { number: 1, text: "Return x", match: false },
        { number: 2, text: "return x(1)", match: true }
      ]
    })
    expect(matchCode(text, parseCodeQuery('"return x(2)"'))).toBeUndefined()
  })

  it("shows few of many matching lines, and a part of a long line", () => {
    const many = matchCode("word\n".repeat(1_000), parseCodeQuery("word"))
    expect([many?.count, many?.lines.length]).toEqual([1_000, 6])
    const [line] = matchCode(`${"x ".repeat(5_000)}needle${" y".repeat(5_000)}`, parseCodeQuery("needle"))?.lines ?? []
    expect([line?.text.length, line?.text.includes("needle")]).toEqual([300, true])
  })
})
