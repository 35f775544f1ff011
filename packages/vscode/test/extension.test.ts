import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { vi } from "vitest"
import { FakeEditor } from "./support/FakeEditor.ts"

const editor = new FakeEditor()
vi.doMock("vscode", () => editor.api)

const root = join(import.meta.dirname, "../../..")
const uri = "file:///company.access"

describe("the VS Code extension", () => {
  it("shows problems, completes, explains, formats and runs expectations", async () => {
    // The command runs from its sources here.
    vi.stubEnv("NODE_OPTIONS", "--conditions=@slipway/source")
    const { activate, deactivate } = await import("../src/extension.ts")
    editor.open(uri, "slipway-access", "user bob\nrepository bob/notes\nbob repository.delete bob/notes -> 403\n")
    editor.open("file:///other.txt", "plaintext", "usr bob\n")
    const first = editor.published()
    await activate({
      subscriptions: editor.subscriptions,
      asAbsolutePath: () => join(root, "apps/cli/src/accessMain.ts")
    })
    expect(await first).toEqual([uri, []])

    const changed = editor.published()
    editor.change(uri, "usr bob\nrepository  bob/notes\nbob repository.delete bob/notes -> 403\n")
    const [, [wrong]] = await changed
    expect(wrong).toMatchObject({ message: "`usr` is not a resource type; did you mean `user`?", severity: 0 })
    const [fix] = await editor.provide("codeActions", "provideCodeActions", uri, wrong?.range)
    expect(fix).toMatchObject({ title: "Change to user", edit: { edits: [{ newText: "user" }] } })

    const corrected = editor.published()
    editor.change(uri, "user bob\nrepository  bob/notes\nbob repository.delete bob/notes -> 403\n")
    await corrected
    const items = await editor.provide("completions", "provideCompletionItems", uri, { line: 2, character: 4 })
    const item = items.find(({ label }: { readonly label: string }) => label === "repository.delete")
    expect(item).toMatchObject({ kind: 1, detail: "Delete a repository", insertText: "repository.delete" })
    const { documentation } = await editor.provide("completions", "resolveCompletionItem", item)
    expect(documentation.value).toContain("`repo-owner`")
    const hover = await editor.provide("hovers", "provideHover", uri, { line: 2, character: 1 })
    expect(hover.contents.value).toBe("```access\nuser bob\n```\n\nLine 1")
    const place = await editor.provide("definitions", "provideDefinition", uri, { line: 2, character: 24 })
    expect(place.range).toMatchObject({ start: { line: 1, character: 12 }, end: { line: 1, character: 21 } })
    const [edit] = await editor.provide("formats", "provideDocumentFormattingEdits", uri)
    expect(edit.newText).toContain("\nrepository bob/notes\n")

    const failed = editor.published()
    const [lens] = await editor.provide("lenses", "provideCodeLenses", uri)
    expect(lens.command).toMatchObject({ title: "Run expectation", command: "slipway.access.run" })
    await editor.execute(lens.command.command, ...lens.command.arguments)
    const [, [failure]] = await failed
    expect(failure?.message.split("\n")[0]).toBe("expected 403, got allowed by repository.owner")
    editor.show(uri)
    await editor.execute("slipway.access.runAll")
    expect(editor.messages).toEqual(["0 of 1 expectations are met"])
    await deactivate()
    expect(editor.errors).toEqual([])
    vi.unstubAllEnvs()
  })

  it("declares only commands and settings that its code implements", () => {
    const read = (path: string) => readFileSync(join(root, "packages/vscode", path), "utf8")
    const { contributes } = JSON.parse(read("package.json"))
    const source = read("src/extension.ts")
    for (const { command } of contributes.commands) expect(source).toContain(`"${command}"`)
    expect(Object.keys(contributes.configuration.properties)).toEqual(["slipway.access.rules"])
  })
})

interface Pattern {
  readonly name?: string
  readonly match?: string
  readonly begin?: string
  readonly include?: string
  readonly patterns?: ReadonlyArray<Pattern>
}

describe("the grammar of scenario files", () => {
  const grammar: { readonly patterns: ReadonlyArray<Pattern>; readonly repository: Readonly<Record<string, Pattern>> } =
    JSON.parse(readFileSync(join(root, "packages/vscode/syntaxes/access.tmLanguage.json"), "utf8"))

  /** Returns the first pattern of the grammar that matches at the start of a line, as an editor selects it. */
  const ruleOf = (line: string): string | undefined =>
    grammar.patterns
      .map(({ include = "" }) => include.slice(1))
      .find((name) => {
        const { begin, match } = grammar.repository[name] as Pattern
        return new RegExp(match ?? begin ?? "", "u").exec(line)?.index === 0
      })

  it("distinguishes comments, titles, definitions and expectations", () => {
    expect(ruleOf("# a comment -> here")).toBe("comment")
    expect(ruleOf("scenario one two")).toBe("title")
    expect(ruleOf("site +registration -stars")).toBe("site")
    expect(ruleOf("team acme/builders code=write on site: bob")).toBe("definition")
    expect(ruleOf("issue acme/site#1 author=bob")).toBe("definition")
    expect(ruleOf("bob repository.read acme/site -> allowed by repository.team")).toBe("expectation")
    expect(ruleOf("anonymous lists repository ->")).toBe("expectation")
    expect(ruleOf("user bob # writes -> nothing")).toBe("definition")
  })

  it("names the actions, answers and rules of an expectation", () => {
    const within = (patterns: ReadonlyArray<Pattern>): ReadonlyArray<Pattern> =>
      patterns.flatMap((each) => [each, ...within(each.patterns ?? [])])
    const named = (name: string, text: string): ReadonlyArray<string> =>
      within(grammar.repository.expectation?.patterns ?? [])
        .filter((pattern) => pattern.name?.startsWith(name) && pattern.match !== undefined)
        .flatMap(({ match = "" }) => [...text.matchAll(new RegExp(match, "gu"))].map(([found]) => found))
    const text = "bob with read:issue, public-only repository.contents.change acme/site -> 403"
    expect(named("entity.name.function", text)).toEqual(["repository.contents.change"])
    expect(named("support.type.scope", text)).toEqual(["read:issue", "public-only"])
    expect(named("string.unquoted.resource", text)).toEqual(["acme/site"])
    expect(named("constant.numeric", text)).toEqual(["403"])
  })
})
