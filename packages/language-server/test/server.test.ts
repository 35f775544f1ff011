import { describe, expect, it } from "@effect/vitest"
import { Facts } from "@slipway/access"
import { PolicySet } from "@slipway/domain/forge/access"
import type { Outcome } from "@slipway/language-server"
import type { CodeAction, CodeLens, CompletionItem, TextEdit } from "vscode-languageserver/node"
import { connected, textOf, uri } from "./editor.ts"

const company = `user olga
user bob
organization acme private
repository acme/site private
team acme/Owners: olga
team acme/builders code=write on site: bob
token bob/ci read:repository public-only
issue acme/site#1 author=bob

scenario builders
bob repository.contents.change acme/site -> allowed by repository.team
bob repository.delete acme/site -> allowed
bob with ci repository.read acme/site -> 403 by token.public-only
`

const printers = PolicySet.builtIn
  .withKind("printer", { reserved: Facts.flag("the printer is reserved", "the printer is free") }, () => undefined)
  .withAction("printer.use", {
    on: "printer",
    summary: "Print a page",
    access: "write",
    scope: ["misc"],
    guards: ["sign-in"],
    grants: [
      { id: "printer.free", when: ({ flag, not }) => not(flag("reserved")), because: "a free printer is for all" }
    ]
  })

describe("the language server", () => {
  it("reports problems while the user types, and corrects a word", async () => {
    const editor = await connected({ version: "1.2.3" })
    expect(editor.serverInfo).toEqual({ name: "slipway", version: "1.2.3" })
    await editor.open(company)
    expect((await editor.diagnostics()).diagnostics).toEqual([])
    await editor.change(2, 5, "team acme/builders code=wrte on site: bob, eve")
    const [wrong, ...none] = (await editor.diagnostics()).diagnostics
    expect(none).toEqual([])
    expect(wrong).toEqual({
      range: { start: { line: 5, character: 24 }, end: { line: 5, character: 28 } },
      severity: 1,
      source: "slipway",
      message: "`wrte` is not a level; did you mean `write`?",
      data: { suggestion: "write" }
    })
    const range = { start: { line: 5, character: 24 }, end: { line: 5, character: 28 } }
    const [fix] = await editor.request<ReadonlyArray<CodeAction>>("textDocument/codeAction", {
      textDocument: { uri },
      range,
      context: { diagnostics: [wrong] }
    })
    expect([fix?.title, fix?.edit?.changes?.[uri]]).toEqual(["Change to write", [{ range, newText: "write" }]])
    await editor.change(3, 5, "team acme/builders code=write on site: bob, eve")
    const { diagnostics, version } = await editor.diagnostics()
    expect([version, diagnostics.map(({ message }) => message)]).toEqual([3, ["`eve` is not a user in this world"]])
    editor.end()
  })

  it("completes resources, users, actions, answers and rules", async () => {
    const editor = await connected()
    await editor.open(`${company}\nbob repository.edit acme/site -> 403 by \n`)
    expect(await editor.labels(8, 0)).toEqual(expect.arrayContaining(["team", "issue", "scenario", "anonymous", "bob"]))
    expect(await editor.labels(3, 11)).toEqual(["acme/", "olga/", "bob/"])
    expect(await editor.labels(4, 18)).toEqual(["olga", "bob"])
    expect(await editor.labels(5, 23)).toEqual(expect.arrayContaining(["code=", "issues=", "admin", "on"]))
    expect(await editor.labels(5, 24)).toEqual(["code=none", "code=read", "code=write", "code=admin"])
    expect(await editor.labels(5, 33)).toEqual(["*", "site"])
    expect(await editor.labels(7, 18)).toEqual(expect.arrayContaining(["author", "author=", "locked"]))
    expect(await editor.labels(7, 25)).toEqual(["author=olga", "author=bob"])
    expect(await editor.labels(10, 4)).toEqual(expect.arrayContaining(["with", "repository.delete", "pushes", "lists"]))
    expect(await editor.labels(10, 31)).toEqual(["acme/site", "->"])
    expect(await editor.labels(10, 44)).toEqual(["allowed", "401", "403", "404"])
    expect((await editor.labels(12, 9)).slice(0, 3)).toEqual(["ci", "all", "public-only"])
    const rules = await editor.labels(14, 40)
    expect(rules).toEqual(expect.arrayContaining(["repo-visible", "repo-admin", "repository.organization-owner"]))
    expect(rules).not.toContain("issue.author")
    const [item] = await editor.request<ReadonlyArray<CompletionItem>>("textDocument/completion", {
      textDocument: { uri },
      position: { line: 14, character: 8 }
    })
    expect(item?.textEdit).toEqual({
      range: { start: { line: 14, character: 4 }, end: { line: 14, character: 8 } },
      newText: "with"
    })
    editor.end()
  })

  it("shows rules in words, actions with their checks, and definitions", async () => {
    const editor = await connected()
    await editor.open(company)
    const rule = await editor.hover(10, 55)
    expect(textOf(rule)).toContain("**repository.team**\n\nApplies when the caller is signed in and ")
    expect(rule?.range).toEqual({ start: { line: 10, character: 55 }, end: { line: 10, character: 70 } })
    const action = textOf(await editor.hover(11, 8))
    expect(action).toContain("**repository.delete** on `repository`")
    expect(action).toContain("`DELETE /repos/{username}/{reponame}`")
    expect(action).toContain("- `repo-owner` ")
    expect(textOf(await editor.hover(5, 40))).toBe("```access\nuser bob\n```\n\nLine 2")
    expect(textOf(await editor.hover(6, 1))).toContain("token <user>/<name> <scope> …")
    expect(await editor.hover(8, 0)).toBe(null)
    const place = (line: number, start: number, end: number) => ({
      uri,
      range: { start: { line, character: start }, end: { line, character: end } }
    })
    expect(await editor.definition(5, 40)).toEqual(place(1, 5, 8))
    expect(await editor.definition(12, 10)).toEqual(place(6, 6, 12))
    expect(await editor.definition(10, 35)).toEqual(place(3, 11, 20))
    expect(await editor.definition(7, 25)).toEqual(place(1, 5, 8))
    expect(await editor.definition(0, 0)).toBe(null)
    editor.end()
  })

  it("runs one expectation or all of a scenario, and shows the results", async () => {
    const editor = await connected()
    await editor.open(company)
    await editor.diagnostics()
    const lenses = async () =>
      (await editor.request<ReadonlyArray<CodeLens>>("textDocument/codeLens", { textDocument: { uri } })).map(
        ({ command, range }) => [range.start.line, command?.title]
      )
    const run = (line: number) =>
      editor.request<ReadonlyArray<Outcome>>("workspace/executeCommand", {
        command: "slipway.access.run",
        arguments: [uri, line]
      })
    expect(await lenses()).toEqual([
      [9, "Run 3 expectations"],
      [10, "Run expectation"],
      [11, "Run expectation"],
      [12, "Run expectation"]
    ])
    const [outcome, ...more] = await run(11)
    expect(more).toEqual([])
    expect([outcome?.passed, outcome?.expected, outcome?.got]).toEqual([false, "allowed", "403 by repo-owner"])
    const { diagnostics } = await editor.diagnostics()
    expect(diagnostics.map(({ message, range }) => [range.start.line, String(message).split("\n")[0]])).toEqual([
      [11, "expected allowed, got 403 by repo-owner in “builders”"]
    ])
    expect((await run(9)).map(({ line, passed }) => [line, passed])).toEqual([
      [10, true],
      [11, false],
      [12, true]
    ])
    expect(await lenses()).toEqual([
      [9, "Run 3 expectations"],
      [10, "✓ met"],
      [11, "✗ 403 by repo-owner"],
      [12, "✓ met"]
    ])
    await editor.change(2, 11, "bob repository.delete acme/site -> 403")
    expect((await lenses())[2]).toEqual([11, "Run expectation"])
    await expect(
      editor.request("workspace/executeCommand", { command: "slipway.access.run", arguments: ["file:///none"] })
    ).rejects.toThrow("`slipway.access.run` needs an open file")
    editor.end()
  })

  it("formats valid files only", async () => {
    const editor = await connected()
    const format = () =>
      editor.request<ReadonlyArray<TextEdit>>("textDocument/formatting", {
        textDocument: { uri },
        options: { tabSize: 2, insertSpaces: true }
      })
    await editor.open("user   bob\nuser olga  admn\n")
    expect(await format()).toEqual([])
    await editor.change(2, 1, "user olga  admin")
    expect(await format()).toEqual([
      {
        range: { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } },
        newText: "user bob\nuser olga admin\n"
      }
    ])
    editor.end()
  })

  it("supports custom rules", async () => {
    const editor = await connected({ policy: printers })
    await editor.open(
      "user bob\nprinter tray-1 reserved\nbob printer.use tray-1 -> 403\nbob printer.use tray-2 -> 403\n"
    )
    expect((await editor.diagnostics()).diagnostics.map(({ message }) => message)).toEqual([
      "`tray-2` is not an item in this world; did you mean `tray-1`?"
    ])
    expect(await editor.labels(1, 15)).toEqual(["reserved", "reserved="])
    expect(textOf(await editor.hover(2, 6))).toContain("**printer.use** on `printer`")
    editor.end()
  })

  it("parses only one line again after an edit of a file with 2,000 lines", async () => {
    const users = Array.from({ length: 400 }, (_, at) => `user user${at}`).join("\n")
    const asked = Array.from({ length: 1_600 }, (_, at) => `user${at % 400} account.read -> allowed`).join("\n")
    const editor = await connected()
    await editor.open(`${users}\n${asked}\n`)
    expect((await editor.diagnostics()).diagnostics).toEqual([])
    await editor.change(2, 1_999, "user399 account.reed -> allowed")
    expect((await editor.diagnostics()).diagnostics.map(({ message }) => message)).toEqual([
      "`account.reed` is not an action; did you mean `account.read`?"
    ])
    editor.end()
  })
})
