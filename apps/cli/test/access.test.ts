import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { type Chromium, openChromium } from "@slipway/http/testing"
import axe from "axe-core"
import { type Duration, Effect, Fiber, Schedule } from "effect"
import { TestConsole } from "effect/testing"
import { pageCommandsOn } from "../../../scripts/vitest/pageCommands.ts"
import { fixture, run, runForOutput } from "./support/command.ts"

const company = `
user olga
user bob
organization acme private
repository acme/site private
team acme/Owners: olga
team acme/builders code=write on site: bob
`
const good = "bob repository.contents.change acme/site -> allowed by repository.team\n"
const bad = "bob repository.delete acme/site -> allowed\n"

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-access-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
)

const written = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const folder = yield* directory
  for (const [name, text] of Object.entries(files)) {
    yield* Effect.promise(() => writeFile(join(folder, name), text))
  }
  return (name: string) => join(folder, name)
})

/** Polls until a condition holds, for as long as a slow machine may need. */
const until = <A>(look: Effect.Effect<A | undefined>, every: Duration.Input = "20 millis") =>
  look.pipe(
    Effect.flatMap((found) => (found === undefined ? Effect.fail("not yet") : Effect.succeed(found))),
    Effect.retry(Schedule.spaced(every)),
    Effect.timeout("20 seconds"),
    Effect.orDie
  )

const logged = (part: string) =>
  Effect.map(TestConsole.logLines, (lines) => lines.map(String).find((line) => line.includes(part)))

const opened = Effect.acquireRelease(
  Effect.flatMap(directory, (folder) => Effect.promise(() => openChromium(folder))),
  (open) => Effect.promise(() => open.end())
)

/** Checks the current page with axe, in light and dark mode. */
const holdAgainstAxe = Effect.fnUntraced(function* ({ evaluate, send }: Chromium) {
  const read = (expression: string) => Effect.promise(() => evaluate(expression))
  yield* read(axe.source)
  for (const value of ["light", "dark"]) {
    const features = [{ name: "prefers-color-scheme", value }]
    yield* Effect.promise(() => send("Emulation.setEmulatedMedia", { features }))
    yield* read(
      "window.found = undefined, axe.run({ preload: false }).then((all) => { window.found = all.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]) }), 0"
    )
    expect([value, yield* until(Effect.map(read("window.found"), (found) => found))]).toEqual([value, []])
  }
})

describe("slipway access", () => {
  it.live("tests, explains, shows and compares scenarios", () =>
    Effect.gen(function* () {
      const at = yield* written({
        "good.access": company + good,
        "bad.access": company + bad,
        "less.access": company.replace("code=write", "code=read"),
        "wrong.access": "usr bob"
      })
      expect(yield* runForOutput("access", "test", at("good.access"))).toBe("1 of 1 expectations are met")
      const failing = yield* runForOutput("access", "test", at("good.access"), at("bad.access"))
      expect(failing).toContain("  expected: allowed\n  got:      403 by repo-owner\n")
      expect(failing).toMatch(
        /stops role: needs to own the repository\n\n1 of 2 expectations are met\n1 of 2 .* not met$/
      )
      expect(yield* runForOutput("access", "test", "--format", "tap", at("bad.access"))).toContain("not ok 1 - ")
      expect(yield* runForOutput("access", "test", "--format", "junit", at("bad.access"))).toContain('failures="1"')
      expect(yield* runForOutput("access", "test", at("wrong.access"))).toContain(
        "wrong.access:1:1: `usr` is not a resource type; did you mean `user`?"
      )
      expect(yield* runForOutput("access", "test", at("none.access"))).toContain("none.access can't be read")
      const why = yield* runForOutput("access", "explain", at("bad.access"), "bob", "repository.delete", "acme/site")
      expect(why).toContain("403 by repo-owner\n")
      expect(why).toContain("would change it: the caller is an owner of the organization")
      expect(yield* runForOutput("access", "explain", at("bad.access"), "eve", "user.read", "bob")).toBe(
        "`eve` is not in this world"
      )
      const matrix = ["access", "matrix", at("good.access"), "--action", "repository.read"]
      expect(yield* runForOutput(...matrix)).toContain("repository.read acme/site  404        yes   yes")
      expect(yield* runForOutput(...matrix, "--format", "svg")).toContain("<svg ")
      const diff = yield* runForOutput("access", "diff", at("good.access"), at("less.access"))
      expect(diff).toMatch(/^- bob loses on repository acme\/site: .*repository\.contents\.change/m)
      expect(diff).not.toContain("gains")
      expect(JSON.parse(yield* runForOutput("access", "schema"))).toHaveProperty("$defs")
      for (const word of ["test", "prove", "explain", "matrix", "diff", "export", "fmt", "schema", "serve", "lsp"]) {
        expect(yield* runForOutput("access", word, "--help")).toContain(`slipway access ${word}`)
      }
      expect(yield* runForOutput("--completions", "bash")).toContain("matrix")
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("proves statements, and prints the smallest counterexample of a false one", () =>
    Effect.gen(function* () {
      const at = yield* written({
        "true.prove": "prove never anonymous repository.delete\nprove repository.edit implies repository.read\n",
        "false.prove": "prove never signed-in repository.delete\n",
        "deploy.prove": "prove never not (writer or administrator) *.delete\nprove never reader *.read\n",
        "wrong.prove": "\nprove never anonymus repository.delete",
        "empty.prove": "# nothing"
      })
      const proving = (name: string, ...more: ReadonlyArray<string>) =>
        runForOutput("access", "prove", at(name), ...more)
      expect(yield* proving("true.prove")).toBe(
        [
          "true   prove never anonymous repository.delete (line 1, 1 case)",
          "true   prove repository.edit implies repository.read (line 2, 1 case)",
          "2 of 2 statements are true"
        ].join("\n")
      )
      expect(yield* proving("false.prove")).toBe(
        [
          "false  prove never signed-in repository.delete (line 1, 1 case)",
          "  false for repository.delete",
          "    user ann",
          "    repository ann/site",
          "    ann repository.delete ann/site -> allowed by repository.owner",
          "0 of 1 statements are true",
          "1 statements are false"
        ].join("\n")
      )
      const deploy = yield* proving("deploy.prove", "--service", "deploy")
      expect(deploy).toContain("true   prove never not (writer or administrator) *.delete (line 1, 34 cases)")
      expect(deploy).toContain("    # the token has `read:sensitive`\n    # application.read -> allowed by role-view\n")
      expect(yield* proving("wrong.prove")).toMatch(
        /wrong\.prove:2:13: `anonymus` is not .*; did you mean `anonymous`\?$/
      )
      expect(yield* proving("empty.prove")).toMatch(/empty\.prove has no statement$/)
      expect(yield* proving("none.prove")).toMatch(/none\.prove can't be read$/)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("formats scenario files", () =>
    Effect.gen(function* () {
      const at = yield* written({ "a.access": "user   bob\n", "b.access": "user bob\n", "c.yaml": "users: {}" })
      const fmt = (...args: ReadonlyArray<string>) =>
        runForOutput("access", "fmt", at("a.access"), at("b.access"), ...args)
      expect(yield* fmt("--check")).toBe(
        `${at("a.access")} is not formatted\nrun \`slipway access fmt\` to format these files`
      )
      expect(readFileSync(at("a.access"), "utf8")).toBe("user   bob\n")
      expect(yield* fmt()).toBe(`${at("a.access")} formatted`)
      expect(readFileSync(at("a.access"), "utf8")).toBe("user bob\n")
      expect(yield* fmt("--check")).toBe("")
      expect(yield* runForOutput("access", "fmt", at("c.yaml"))).toMatch(/c\.yaml is not in the text format$/)
      expect(yield* runForOutput("access", "fmt", at("none.access"))).toMatch(/none\.access can't be read$/)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("formats the files of both services in one run", () =>
    Effect.gen(function* () {
      const at = yield* written({
        "forge.access": "user   bob\nrepository  bob/site\n",
        "deploy.access": "user   ann\nproject  shop\nann project.read shop->404\n",
        "shared.access": "user ann\nteam  acme\n",
        "wrong.access": "user ann\nprojet shop\nproject blog\n"
      })
      const fmt = (name: string, ...more: ReadonlyArray<string>) =>
        runForOutput("access", "fmt", at("forge.access"), at(name), ...more)
      expect(yield* fmt("deploy.access")).toBe(`${at("forge.access")} formatted\n${at("deploy.access")} formatted`)
      expect(readFileSync(at("deploy.access"), "utf8")).toBe("user ann\nproject shop\nann project.read shop -> 404\n")
      expect(yield* fmt("wrong.access")).toBe(
        `${at("wrong.access")}:2:1: \`projet\` is not expected here; did you mean \`project\`?`
      )
      // Lines that both services have belong to a forge unless the service is named.
      expect(yield* fmt("shared.access")).toContain(":2:7: `acme` is not an owner/name")
      expect(yield* runForOutput("access", "fmt", "--service", "deploy", at("shared.access"))).toBe(
        `${at("shared.access")} formatted`
      )
      expect(yield* fmt("deploy.access", "--service", "deploy", "--rules", "built-in")).toBe(
        "--rules applies only to a forge: remove it, or use --service forge"
      )
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("changes no file if one is invalid, and reports line and column", () =>
    Effect.gen(function* () {
      const at = yield* written({
        "good.access": "user   bob\n",
        "word.access": "user bob\nuser olga admn\n",
        "arrow.access": "user bob\n  bob account.read -> allowed -> 404\n",
        "own.access": "printer tray-1  reserved\n"
      })
      const fmt = (name: string, ...more: ReadonlyArray<string>) =>
        runForOutput("access", "fmt", at("good.access"), at(name), ...more)
      expect(yield* fmt("word.access")).toBe(
        `${at("word.access")}:2:11: \`admn\` is unknown here; did you mean \`admin\`?`
      )
      expect(yield* fmt("arrow.access")).toBe(
        `${at("arrow.access")}:2:3: a line has one expected answer; remove the second \`->\``
      )
      expect(yield* fmt("own.access")).toBe(`${at("own.access")}:1:1: \`printer\` is not a resource type`)
      expect(readFileSync(at("good.access"), "utf8")).toBe("user   bob\n")
      const printers = join(import.meta.dirname, "../../../examples/printers/rules.ts")
      expect(yield* fmt("own.access", "--rules", printers)).toBe(
        `${at("good.access")} formatted\n${at("own.access")} formatted`
      )
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("compares two versions of rules", () =>
    Effect.gen(function* () {
      const printers = join(import.meta.dirname, "../../../examples/printers/rules.ts")
      const rules = ["access", "diff", "--rules", "built-in", "--rules"]
      expect(yield* runForOutput(...rules, "built-in")).toBe("no request changes its answer")
      expect(yield* runForOutput(...rules, printers)).toBe(
        [
          "+ printer.use: only the new rules allow",
          "    user ann",
          "    printer some",
          "    ann printer.use some -> allowed by printer.free",
          "1 action changes its answers"
        ].join("\n")
      )
      expect(
        yield* runForOutput("access", "diff", "--rules", printers, "--rules", "built-in", "--format", "markdown")
      ).toBe(
        [
          "**- printer.use: only the old rules allow**",
          "",
          "```access",
          "user ann",
          "printer some",
          "ann printer.use some -> allowed by printer.free",
          "```",
          "",
          "1 action changes its answers"
        ].join("\n")
      )
      expect(yield* runForOutput("access", "diff", "--rules", printers)).toBe(
        "name two scenario files with at most one --rules, or no file and --rules twice"
      )
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("loads custom rules", () =>
    Effect.gen(function* () {
      const at = (name: string) => join(import.meta.dirname, "../../../examples/printers", name)
      const [file, rules] = [at("printers.access"), ["--rules", at("rules.ts")]]
      expect(yield* runForOutput("access", "test", file, ...rules)).toBe("7 of 7 expectations are met")
      expect(yield* runForOutput("access", "test", file)).toContain("`printer` is not a resource type")
      expect(yield* runForOutput("access", "test", file, "--rules", at("app.ts"))).toContain(
        "exports no PolicySet as `policy`"
      )
      expect(yield* runForOutput("access", "test", file, "--rules", at("none.ts"))).toContain(
        "none.ts can't be loaded: "
      )
      expect(yield* runForOutput("access", "explain", ...rules, file, "bob", "printer.use", "tray-1")).toContain(
        "would change it: the printer is free"
      )
      expect(yield* runForOutput("access", "matrix", ...rules, file)).toContain(
        "printer.use tray-3  401        yes   yes  403"
      )
      expect(yield* runForOutput("access", "diff", ...rules, file, file)).toBe("no access changes")
      expect(yield* runForOutput("access", "schema", ...rules)).toContain('"printer"')
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live.each(["docs/tutorial.md"])("prints the output that %s shows for each command", (page) =>
    Effect.gen(function* () {
      const text = readFileSync(join(import.meta.dirname, "../../..", page), "utf8")
      const typed = pageCommandsOn(text)
      const files = typed.flatMap((each) => ("file" in each ? [[each.file, each.text] as const] : []))
      const at = yield* written(Object.fromEntries(files))
      const asked = typed.flatMap((each) => ("command" in each && each.command.startsWith("slipway ") ? [each] : []))
      expect(asked.length).toBeGreaterThan(0)
      for (const { command, prints } of asked) {
        const [, ...words] = command.split(" ")
        const args = words.map((word) => (word.endsWith(".access") ? at(word) : word))
        expect((yield* runForOutput(...args)).trimEnd(), command).toBe(prints)
      }
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("runs the scenarios again when a file changes", () =>
    Effect.gen(function* () {
      const at = yield* written({ "watched.access": company + good })
      const watching = yield* Effect.forkChild(run(["access", "test", "--watch", at("watched.access")]))
      yield* until(logged("1 of 1 expectations are met"))
      // Written repeatedly: the first write may precede the start of the watcher.
      yield* until(
        Effect.gen(function* () {
          yield* Effect.promise(() => writeFile(at("watched.access"), company + good + bad))
          return yield* logged("1 of 2 expectations are met")
        }),
        // Longer than the watcher waits for a complete write.
        "300 millis"
      )
      yield* Fiber.interrupt(watching)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live(
    "the explorer of scenarios and the documentation site work by keyboard, in light and dark mode, without axe violations",
    () =>
      Effect.gen(function* () {
        const at = yield* written({ "company.access": company + good })
        const serving = yield* Effect.forkChild(run(["access", "serve", "--port", "0", at("company.access")]))
        const page = yield* until(logged("/explore"))
        const forge = page.replace("/explore", "")
        expect(yield* runForOutput("access", "export", forge)).toContain("responds with 404 to /admin/users")
        expect(yield* runForOutput("access", "export", "nowhere")).toBe("nowhere is not an address")
        const chromium = yield* opened
        const read = (expression: string) => Effect.promise(() => chromium.evaluate(expression))
        const key = (name: string, more: Record<string, unknown> = {}) =>
          Effect.promise(async () => {
            await chromium.send("Input.dispatchKeyEvent", { type: "keyDown", key: name, code: name, ...more })
            await chromium.send("Input.dispatchKeyEvent", { type: "keyUp", key: name, code: name })
          })
        const type = (selector: string, text: string) => Effect.promise(() => chromium.type(selector, text))
        const shown = (id: string) =>
          until(
            Effect.map(
              read(`document.getElementById("${id}").hidden ? undefined : document.getElementById("${id}").innerText`),
              (text) => text as string | undefined
            )
          )
        yield* Effect.promise(() => chromium.go(page))
        yield* until(
          Effect.map(read("document.querySelectorAll('#people option').length || undefined"), (found) => found)
        )
        expect(yield* read("[...document.querySelectorAll('#things option')].map((each) => each.value)")).toEqual([
          "site",
          "user:olga",
          "user:bob",
          "org:acme",
          "team:acme/Owners",
          "team:acme/builders",
          "repo:acme/site"
        ])
        yield* key("/", { text: "/" })
        expect(yield* read("document.activeElement.id")).toBe("person")
        yield* type("#person", "bob")
        yield* type("#thing", "repo:acme/site")
        yield* type("#action", "repository.delete")
        yield* key("Enter", { text: "\r", windowsVirtualKeyCode: 13 })
        const matrix = yield* shown("picture")
        expect(matrix).toContain("repository.contents.change")
        const answer = yield* shown("answer")
        expect(answer).toContain("bob may not do this: 403")
        expect(answer).toContain("stops at role: needs to own the repository")
        expect(answer).toContain("the caller is an owner of the organization")
        const cell = "document.querySelector('[aria-label^=\"olga, repository.delete\"]')"
        expect(yield* read(`${cell}.innerText`)).toBe("✓")
        // The arrow keys move in the matrix, and a cell shows its explanation.
        yield* read("document.querySelector('td[tabindex=\"0\"]').focus()")
        yield* key("ArrowRight", { windowsVirtualKeyCode: 39 })
        expect(yield* read("document.activeElement.dataset.place")).toBe("0 1")
        yield* read(`${cell}.focus()`)
        yield* key("Enter", { text: "\r", windowsVirtualKeyCode: 13 })
        yield* until(
          Effect.map(
            read("document.getElementById('decision').innerText.startsWith('olga may do this') || undefined"),
            (is) => is
          )
        )
        yield* shown("picture")
        yield* holdAgainstAxe(chromium)
        yield* Fiber.interrupt(serving)

        // The documentation as a site, in the same browser: it needs no server.
        const folder = yield* directory
        const root = join(import.meta.dirname, "../../..")
        const args = ["--conditions=@slipway/source", join(root, "scripts/site.ts"), "--out", folder]
        const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
        expect([status, stderr]).toEqual([0, ""])
        const site = pathToFileURL(folder).href
        yield* Effect.promise(() => chromium.go(`${site}/index.html`))
        yield* key("/", { text: "/" })
        expect(yield* read("document.activeElement.id")).toBe("query")
        yield* type("#query", "public-only token")
        const first = "document.querySelector('#found:not([hidden]) a')"
        yield* until(Effect.map(read(`${first} === null ? undefined : ${first}.href`), (href) => href))
        expect(yield* read("[...document.querySelectorAll('#found a')].map(({ href }) => href)")).toContain(
          `${site}/docs/explanation/access-model.html#tokens`
        )
        yield* holdAgainstAxe(chromium)
        yield* Effect.promise(() => chromium.go(`${site}/docs/explanation/access-model.html`))
        expect(yield* read("[...document.images].map(({ naturalWidth }) => naturalWidth > 0)")).toEqual([true])
        expect(chromium.problems).toEqual([])
      }).pipe(Effect.scoped, Effect.provide(fixture))
  )
})
