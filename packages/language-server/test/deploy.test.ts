import { describe, expect, it } from "@effect/vitest"
import type { CodeAction, CodeLens, CompletionItem, TextEdit } from "vscode-languageserver/node"
import { connected, textOf, uri } from "./editor.ts"

const shop = `user ann
user bob
project shop
environment shop/production protected
application shop/production/web
service shop/production/wiki
group ops bob
role restarter view operate
grant ann developer shop
grant ops restarter shop/production

ann application.deploy shop/production/web -> 403 by role-operate
bob service.deploy shop/production/wiki -> allowed
ann with read application.update shop/production/web -> 403 by write
`

describe("the language server, on a scenario of deploy", () => {
  it("reports problems with the correct word, and finds a file of deploy by its lines", async () => {
    const editor = await connected()
    await editor.open(shop)
    expect((await editor.diagnostics()).diagnostics).toEqual([])
    await editor.change(2, 8, "grant ann develper shop")
    const [wrong, ...others] = (await editor.diagnostics()).diagnostics
    expect(wrong).toEqual({
      range: { start: { line: 8, character: 10 }, end: { line: 8, character: 18 } },
      severity: 1,
      source: "slipway",
      message: "`develper` is not a role; did you mean `developer`?",
      data: { suggestion: "developer" }
    })
    expect(others).toEqual([])
    const [fix] = await editor.request<ReadonlyArray<CodeAction>>("textDocument/codeAction", {
      textDocument: { uri },
      range: wrong?.range,
      context: { diagnostics: [wrong] }
    })
    expect(fix?.edit?.changes?.[uri]).toEqual([{ range: wrong?.range, newText: "developer" }])
    await editor.change(3, 8, "grant ann developer shop")
    await editor.diagnostics()
    await editor.change(4, 12, "bob service.deploi shop/production/wiki -> allowed")
    const { diagnostics } = await editor.diagnostics()
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "`service.deploi` is not an action; did you mean `service.deploy`?"
    ])
    editor.end()
  })

  it("completes places, roles, actions, objects, answers and rules", async () => {
    const editor = await connected()
    await editor.open(`${shop}\nann application.deploy shop/production/web -> 403 by \n`)
    expect(await editor.labels(10, 0)).toEqual([
      "user",
      "group",
      "team",
      "project",
      "server",
      "environment",
      "application",
      "database",
      "service",
      "role",
      "grant",
      "ann",
      "bob"
    ])
    expect(await editor.labels(3, 12)).toEqual(["shop/"])
    expect(await editor.labels(3, 30)).toEqual(["protected"])
    expect(await editor.labels(4, 12)).toEqual(["shop/production/"])
    expect(await editor.labels(6, 10)).toEqual(["ann", "bob"])
    expect(await editor.labels(7, 15)).toEqual([
      "view",
      "operate",
      "edit",
      "secrets",
      "protection",
      "terminal",
      "infrastructure",
      "members",
      "ownership"
    ])
    expect(await editor.labels(9, 6)).toEqual(["ann", "bob", "ops"])
    expect(await editor.labels(9, 10)).toEqual(["viewer", "deployer", "developer", "admin", "owner", "restarter"])
    expect(await editor.labels(9, 20)).toEqual([
      "root",
      "shop",
      "shop/production",
      "shop/production/web",
      "shop/production/wiki"
    ])
    const actions = await editor.labels(11, 4)
    expect(actions[0]).toBe("with")
    expect(actions).toEqual(expect.arrayContaining(["application.deploy.request", "service.part.deploy.request"]))
    expect(await editor.labels(12, 19)).toEqual(["shop/production/wiki"])
    expect(await editor.labels(12, 40)).toEqual(["->"])
    expect(await editor.labels(13, 9)).toEqual(["read", "read:sensitive", "write", "deploy", "root"])
    expect(await editor.labels(11, 46)).toEqual(["allowed", "403", "404"])
    expect(await editor.labels(15, 53)).toEqual(["deploy", "there", "token", "role-operate"])
    const [choice] = await editor
      .request<ReadonlyArray<CompletionItem>>("textDocument/completion", {
        textDocument: { uri },
        position: { line: 11, character: 4 }
      })
      .then((items) => items.filter(({ label }) => label === "application.deploy"))
    const resolved = await editor.request<CompletionItem>("completionItem/resolve", choice ?? {})
    expect(resolved.documentation).toEqual({ kind: "markdown", value: expect.stringContaining("on `application`") })
    editor.end()
  })

  it("shows actions, rules, roles, capabilities and definitions, and goes to definitions", async () => {
    const editor = await connected()
    await editor.open(shop)
    expect(textOf(await editor.hover(11, 8))).toBe(
      [
        "**application.deploy** on `application`",
        "Tokens: tokens with `deploy` or `root` may.",
        [
          "Checks, in this order:\n",
          "- `deploy` tokens with `deploy` or `root` may: 403",
          "- `there` the resource must exist: 404",
          "- `token` the token is limited to other projects: 403",
          "- `role-operate` the role `deployer` on the resource or above it is missing (capability `operate`); a protected environment needs it on the environment itself: 403"
        ].join("\n")
      ].join("\n\n")
    )
    expect(textOf(await editor.hover(11, 55))).toMatch(
      /^\*\*role-operate\*\*\n\nApplies when .*the environment is not protected/
    )
    expect(textOf(await editor.hover(8, 12))).toContain("- `secrets` read secrets outside protected environments")
    expect(textOf(await editor.hover(7, 22))).toBe(
      "**operate**: deploy, restart, stop, cancel, roll back and run tasks"
    )
    expect(textOf(await editor.hover(9, 12))).toContain("role restarter view operate")
    expect(textOf(await editor.hover(3, 3))).toContain("environment <project>/<name> [protected]")
    expect(textOf(await editor.hover(11, 30))).toContain("application shop/production/web")
    expect(await editor.hover(10, 0)).toBeNull()
    expect(await editor.definition(12, 25)).toEqual({
      uri,
      range: { start: { line: 5, character: 8 }, end: { line: 5, character: 28 } }
    })
    editor.end()
  })

  it("runs expectations from code lenses", async () => {
    const editor = await connected()
    await editor.open(shop.replace("wiki -> allowed", "wiki -> 403"))
    await editor.diagnostics()
    const lenses = () => editor.request<ReadonlyArray<CodeLens>>("textDocument/codeLens", { textDocument: { uri } })
    expect((await lenses()).map(({ command }) => command?.title)).toEqual([
      "Run expectation",
      "Run expectation",
      "Run expectation"
    ])
    await editor.request("workspace/executeCommand", { command: "slipway.access.run", arguments: [uri, 12] })
    const [failure] = (await editor.diagnostics()).diagnostics
    expect([failure?.range.start.line, failure?.message]).toEqual([12, "expected 403, got allowed by role-operate"])
    expect((await lenses()).map(({ command }) => command?.title)).toEqual([
      "Run expectation",
      "✗ allowed by role-operate",
      "Run expectation"
    ])
    editor.end()
  })

  it("formats valid files, and warns about rules that cannot decide", async () => {
    const editor = await connected()
    const format = () =>
      editor.request<ReadonlyArray<TextEdit>>("textDocument/formatting", {
        textDocument: { uri },
        options: { tabSize: 2, insertSpaces: true }
      })
    await editor.open(`${shop}ann with read  application.update shop/production/web -> 403 by write, role-edt`)
    const [warning, ...others] = (await editor.diagnostics()).diagnostics
    expect([warning?.severity, warning?.message, warning?.range]).toEqual([
      2,
      "`role-edt` is not a rule of this action; did you mean `role-edit`?",
      { start: { line: 14, character: 71 }, end: { line: 14, character: 79 } }
    ])
    expect(others).toEqual([])
    const [edit] = await format()
    expect(edit?.newText).toBe(
      `${shop}ann with read application.update shop/production/web -> 403 by write, role-edt\n`
    )
    await editor.change(2, 0, "usr ann")
    expect(await format()).toEqual([])
    editor.end()
  })
})
