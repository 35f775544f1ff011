import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { TestConsole } from "effect/testing"
import { fixture, run, runForOutput } from "./support/command.ts"

const shipped = "packages/testkit/scenarios/deploy.access"

const written = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-access-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ),
  (directory) => (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
)

interface RuleFile {
  readonly checks: ReadonlyArray<{ readonly id: string }>
  readonly actions: Record<string, { readonly on: string; readonly checks: ReadonlyArray<number> }>
}

/** Returns the rules without an action, and without the role check of another one. */
const olderRules = (text: string): string => {
  const { actions, ...file }: RuleFile = JSON.parse(text)
  const { "project.update": update, "access.objects": _, ...others } = actions
  const checks = update?.checks.filter((place) => file.checks[place]?.id !== "role-edit") ?? []
  return JSON.stringify({ ...file, actions: { ...others, "project.update": { ...update, checks } } })
}

describe("the rules of deploy", () => {
  it.effect("are printed as JSON, and compared with those of another version", () =>
    Effect.gen(function* () {
      const file = yield* written
      const present = yield* runForOutput("access", "rules", "--service", "deploy")
      const old = file("old.json", olderRules(present))
      const diff = (...args: ReadonlyArray<string>) => runForOutput("access", "diff", "--service", "deploy", ...args)
      expect(yield* diff("--rules", file("same.json", present), "--rules", "built-in")).toBe(
        "no request changes its answer"
      )
      expect(yield* diff("--rules", old, "--rules", "built-in")).toBe(
        [
          "- project.update: only the old rules allow",
          "    # the token has `root`",
          "    # no role of the caller may create, change and delete resources and variables",
          "    # project.update -> allowed by token",
          "+ access.objects: only the new rules allow",
          "    # the token has `root`",
          "    # access.objects -> allowed by read",
          "2 actions change their answers"
        ].join("\n")
      )
      const comment = yield* diff("--rules", "built-in", "--rules", old, "--format", "markdown")
      expect(comment.split("\n").slice(0, 7)).toEqual([
        "**- access.objects: only the old rules allow**",
        "",
        "```access",
        "# the token has `root`",
        "# access.objects -> allowed by read",
        "```",
        ""
      ])
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.effect("are rejected with the file and the field if a file is invalid", () =>
    Effect.gen(function* () {
      const file = yield* written
      const present = yield* runForOutput("access", "rules", "--service", "deploy")
      const diff = (rules: string, service = "deploy") =>
        runForOutput("access", "diff", "--service", service, "--rules", rules, "--rules", "built-in")
      const invalid = (name: string, part: string, other: string) => file(name, present.replace(part, other))
      const unknown = invalid("format.json", "slipway-access-rules-1", "another")
      expect(yield* diff(unknown)).toContain(`${unknown}: Expected "slipway-access-rules-1"`)
      const fact = invalid("fact.json", '"fact":"read"', '"fact":"reed"')
      expect(yield* diff(fact)).toBe(`${fact}: \`reed\` is not a fact of this vocabulary`)
      const type = invalid("type.json", '"on":"resource"', '"on":"thing"')
      expect(yield* diff(type)).toBe(`${type}: the action \`access.check\` has the unknown resource type \`thing\``)
      const check = invalid("check.json", '"checks":[0]', '"checks":[99999]')
      expect(yield* diff(check)).toContain("has a check that is not in `checks`")
      const same = file("same.json", present)
      expect(yield* diff(same, "forge")).toBe(`${same}: the rules are those of deploy, not of forge`)
      expect(yield* diff(file("text.json", "prove"))).toContain("text.json: ")
      expect(yield* diff("rules.ts")).toBe(
        "rules.ts: the rules of deploy are `built-in`, or a file .json of `slipway access rules`"
      )
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.effect("of a forge are compared in the same way", () =>
    Effect.gen(function* () {
      const file = yield* written
      const { actions, ...rules }: RuleFile = JSON.parse(yield* runForOutput("access", "rules"))
      const { "access.objects": _, ...others } = actions
      const old = file("old.json", JSON.stringify({ ...rules, actions: others }))
      const diff = yield* runForOutput("access", "diff", "--rules", old, "--rules", "built-in")
      expect(diff).toContain("+ access.objects: only the new rules allow\n")
      expect(diff).toContain("    ann access.objects -> allowed\n")
      expect(diff).toMatch(/\n1 action changes its answers$/)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )
})

const logged = (part: string) =>
  TestConsole.logLines.pipe(
    Effect.map((lines) => lines.map(String).find((line) => line.includes(part))),
    Effect.flatMap((found) => (found === undefined ? Effect.fail("not yet") : Effect.succeed(found))),
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("20 seconds"),
    Effect.orDie
  )

const textAt = async (url: string) => (await fetch(url)).text()

const answerAt = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, body: await response.json() }
}

describe("the explorer of deploy scenarios", () => {
  it.live("serves users, resources, actions and explanations of each file", () =>
    Effect.gen(function* () {
      const file = yield* written
      const own = file("own.access", "user zoe\nproject lab\ngrant zoe viewer lab\n")
      const args = ["access", "serve", "--service", "deploy", "--port", "0", shipped, own]
      const serving = yield* Effect.forkChild(run(args))
      const page = yield* logged("/explore")
      const base = page.replace("/explore", "")
      const ask = (path: string) => Effect.promise(() => answerAt(`${base}${path}`))
      const html = yield* Effect.promise(() => textAt(page))
      expect(html).toContain('placeholder="application:shop/production/web"')
      const world = (yield* ask("/world.json")).body
      expect(world.scenarios).toEqual(["deploy.access", "own.access"])
      expect(world.people).toEqual(["ann", "bob", "carol", "dave", "eve", "frank"])
      expect(world.things).toEqual(
        expect.arrayContaining(["platform", "team:root", "project:shop", "application:shop/production/web"])
      )
      expect((yield* ask("/world.json?scenario=1")).body).toMatchObject({
        people: ["zoe"],
        things: expect.arrayContaining(["platform", "team:root", "project:lab"])
      })
      const known = (yield* ask("/explore/actions.json")).body
      expect(known).toContainEqual({
        name: "application.deploy",
        on: "application",
        summary: expect.stringContaining("tokens with `deploy` or `root` may")
      })

      const query = "resource=application:shop/production/web&user=bob"
      const explained = (yield* ask(`/api/access/explain?${query}&action=application.deploy`)).body
      expect(explained).toMatchObject({ user: { login: "bob" }, allowed: false, status: 403, rules: ["role-operate"] })
      expect(explained.path.map(({ passed, stage }: { passed: boolean; stage: string }) => [stage, passed])).toEqual([
        ["deploy", true],
        ["there", true],
        ["token", true],
        ["role-operate", false]
      ])
      expect(explained.changes).toContain("grant bob deployer shop/production/web")
      const { actions } = (yield* ask(`/api/access/actions?${query}`)).body
      expect(actions).toContainEqual({ action: "application.deploy", allowed: false, status: 403 })
      expect(actions).toContainEqual({ action: "application.read", allowed: true, status: 200 })
      const onPlatform = yield* ask("/api/access/actions?resource=platform&user=ann")
      expect(onPlatform.body.actions).toContainEqual({ action: "settings.update", allowed: false, status: 403 })

      const wrong = (what: string) => ({ status: 404, body: { message: `This scenario has no such ${what}.` } })
      expect(yield* ask("/api/access/actions?resource=project:shop&user=zoe")).toEqual(wrong("person"))
      expect(yield* ask("/api/access/actions?resource=project:shop")).toEqual(wrong("person"))
      expect(yield* ask("/api/access/actions?resource=server:nowhere&user=ann")).toEqual(wrong("thing"))
      expect(yield* ask(`/api/access/explain?${query}&action=project.read`)).toEqual(
        wrong("action on this resource type")
      )
      expect(yield* ask("/world.json?scenario=7")).toEqual(wrong("scenario"))
      writeFileSync(own, "user")
      expect((yield* ask("/world.json")).body.message).toContain("own.access:1:1: a user needs a name")
      yield* Fiber.interrupt(serving)
      expect(readFileSync(own, "utf8")).toBe("user")
      expect(yield* runForOutput("access", "serve", "--service", "deploy", "--rules", "x.ts", shipped)).toBe(
        "--rules applies only to a forge: remove it, or use --service forge"
      )
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )
})
