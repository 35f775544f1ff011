import { describe, expect, test } from "vitest"
import { type Commit, problemsOf } from "../commits/check.ts"

const commit = (change: Partial<Commit>): Commit => ({
  id: "0",
  parents: 1,
  subject: "mail: retry a refused connection",
  body: "",
  files: [{ path: "packages/mail/src/index.ts", lines: 3 }],
  ...change
})

describe("the commit check", () => {
  test("accepts an area, an imperative verb and an object", () => {
    expect(problemsOf(commit({}))).toEqual([])
    expect(problemsOf(commit({ subject: "deploy(engines): process images" }))).toEqual([])
  })

  test("rejects a missing area, another form of the verb, a long subject and a full stop", () => {
    expect(problemsOf(commit({ subject: "Retry a refused connection" }))).toEqual([
      "subject must read `area: imperative verb and object`"
    ])
    expect(problemsOf(commit({ subject: "mail: retried a connection" }))).toEqual([
      "`retried` must be an imperative verb, such as `add`"
    ])
    expect(problemsOf(commit({ subject: "mail: retries a connection" }))).toHaveLength(1)
    expect(problemsOf(commit({ subject: `mail: retry ${"x".repeat(61)}` }))).toEqual([
      "subject has 73 characters, at most 72 are allowed"
    ])
    expect(problemsOf(commit({ subject: "mail: retry a connection." }))).toEqual([
      "subject must not end with a full stop"
    ])
  })

  test("rejects merges and unfinished work", () => {
    expect(problemsOf(commit({ parents: 2 }))).toEqual(["is a merge commit: rebase the branch instead"])
    expect(problemsOf(commit({ subject: "mail: wip retry" }))).toHaveLength(1)
    expect(problemsOf(commit({ subject: "fixup! mail: retry a connection" }))).toHaveLength(1)
  })

  test("requires a body for more than 50 changed lines, not counting generated files", () => {
    const large = [{ path: "packages/mail/src/index.ts", lines: 51 }]
    expect(problemsOf(commit({ files: large }))).toEqual(["changes 51 lines: a body must say why"])
    expect(problemsOf(commit({ files: large, body: "Servers refuse connections under load.\n" }))).toEqual([])
    expect(problemsOf(commit({ files: [{ path: "package-lock.json", lines: 900 }] }))).toEqual([])
  })
})
