import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { accessTables, anonymous, newSiteSwitches, ordinary, PolicySet } from "@slipway/domain/forge/access"
import type { Site } from "@slipway/domain/forge/base"
import {
  askPure,
  checkScenarios,
  explainIn,
  judgedIn,
  parseQuestions,
  parseWorld,
  type Question
} from "@slipway/testkit/forge"
import { Clock, Effect, Layer } from "effect"
import { printers } from "../../../../../scripts/vitest/printers.ts"
import { basic, start } from "../support/harness.ts"
import { administratorsCreate, membersSeeRepositories, quietFridays } from "../support/policies.ts"

const clockAt = (text: string) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock): Clock.Clock => {
      const millis = Date.parse(text)
      return {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        currentTimeMillisUnsafe: () => millis,
        currentTimeMillis: Effect.succeed(millis)
      }
    })
  )

const at = (name: string) => ({ headers: basic(name) })

/** A site with custom rules, an administrator, an owner of the organization `acme` and another user. */
const house = Effect.fnUntraced(function* (policy: Site["policy"], time?: string) {
  const api = yield* start({ site: { policy }, ...(time === undefined ? {} : { tracer: clockAt(time) }) })
  yield* api.user("root", { admin: true })
  yield* api.user("olga")
  yield* api.user("carl")
  yield* api.ask(201, "POST", "/orgs", { ...at("olga"), body: { username: "acme" } })
  return api
})

const message = (answer: { readonly json: { readonly message: string } }) => answer.json.message

describe("custom rules", () => {
  it("are the same here as in the guide", () => {
    const code = readFileSync(new URL("../support/policies.ts", import.meta.url), "utf8")
    const docs = readFileSync(new URL("../../../../../docs/guides/custom-rules.md", import.meta.url), "utf8")
    const shown = [...docs.matchAll(/```ts\n(export const .*?)```/gs)].map(([, block = ""]) => block.trim())
    expect(shown).toHaveLength(3)
    expect(
      code
        .split("\n\n")
        .slice(1)
        .map((block) => block.trim())
    ).toEqual(shown)
    const example = new URL("../../../../../examples/printers/", import.meta.url)
    for (const [name, language] of [
      ["rules.ts", "ts"],
      ["app.ts", "ts"],
      ["printers.access", "access file=printers.access"]
    ] as const) {
      expect(docs).toContain(`\`\`\`${language}\n${readFileSync(new URL(name, example), "utf8")}\`\`\`\n`)
    }
  })

  it.live("replace a guard on all routes that create the repository", () =>
    Effect.gen(function* () {
      const api = yield* house(administratorsCreate)
      const one = { name: "one" }
      const refused = yield* api.send("POST", "/orgs/acme/repos", { ...at("olga"), body: one })
      expect([refused.status, message(refused)]).toEqual([
        403,
        "user is not allowed to create repositories in the organization"
      ])
      expect((yield* api.send("POST", "/org/acme/repos", { ...at("olga"), body: one })).status).toBe(403)
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...at("root"), body: one })
      const forked = { ...at("olga"), body: { organization: "acme", name: "two" } }
      expect((yield* api.send("POST", "/repos/acme/one/forks", forked)).status).toBe(403)
      const { paths } = yield* api.ask(200, "GET", "/openapi.json")
      expect(paths["/api/v1/orgs/{org}/repos"].post["x-access"].because).toEqual([
        "needs the scope write:organization",
        "needs to see the organization",
        "needs a public resource if the token is public-only",
        "needs a sign-in",
        "only administrators create repositories in organizations"
      ])
    })
  )

  it.live("can read the clock, and their reason appears in the response and in the explanation", () =>
    Effect.gen(function* () {
      const file = { content: "aGk=", message: "more", branch: "main" }
      const changed = Effect.fnUntraced(function* (time: string) {
        const api = yield* house(quietFridays, time)
        yield* api.ask(201, "POST", "/orgs/acme/repos", { ...at("olga"), body: { name: "one", auto_init: true } })
        const why = yield* api.ask(
          200,
          "GET",
          "/access/explain?user=olga&action=git.push&resource=repo:acme/one",
          at("root")
        )
        const answer = yield* api.send("POST", "/repos/acme/one/contents/a.txt", { ...at("olga"), body: file })
        return [answer.status, answer.json?.message, why.allowed, why.rules]
      })
      const refused = ["house.quiet-fridays"]
      expect(yield* changed("2026-11-20T12:00:00Z")).toEqual([403, "nobody pushes on Fridays", false, refused])
      const admitted = ["repository.organization-owner"]
      expect(yield* changed("2026-11-21T12:00:00Z")).toEqual([201, undefined, true, admitted])
    })
  )

  it.live("can hide a resource like a missing one, and then no list contains or counts the resource", () =>
    Effect.gen(function* () {
      const api = yield* house(membersSeeRepositories)
      for (const name of ["one", "two"]) {
        yield* api.ask(201, "POST", "/orgs/acme/repos", { ...at("olga"), body: { name } })
        yield* api.ask(201, "POST", `/repos/acme/${name}/issues`, { ...at("olga"), body: { title: `about ${name}` } })
      }
      yield* api.ask(204, "PUT", "/repos/acme/one/collaborators/carl", { ...at("olga"), body: { permission: "read" } })
      const seen = Effect.fnUntraced(function* (who: string) {
        const found = yield* api.send("GET", "/repos/search?sort=alpha", at(who))
        const issues = yield* api.ask(200, "GET", "/repos/issues/search", at(who))
        const names = found.json.data.map(({ name }: { readonly name: string }) => name)
        const titles = issues.map(({ title }: { readonly title: string }) => title).toSorted()
        return [names, found.headers.get("x-total-count"), titles]
      })
      expect(yield* seen("root")).toEqual([["one", "two"], "2", ["about one", "about two"]])
      expect(yield* seen("carl")).toEqual([["one"], "1", ["about one"]])
      yield* api.ask(200, "GET", "/repos/acme/one", at("carl"))
      const hidden = yield* api.send("GET", "/repos/acme/two", at("carl"))
      const missing = yield* api.send("GET", "/repos/acme/nothing", at("carl"))
      expect([hidden.status, hidden.text]).toEqual([404, missing.text])
      expect((yield* api.send("GET", "/repos/acme/two/issues/1", at("carl"))).status).toBe(404)
      yield* api.ask(404, "GET", "/repos/acme/two")
      yield* api.ask(200, "GET", "/repos/acme/two", at("olga"))
    })
  )

  it("apply in access scenarios, and appear in the access tables", () => {
    const world = parseWorld(`
      user carl
      user olga
      organization acme
      team acme/Owners: olga
      repository acme/one
      repository acme/two
      collaborator carl read acme/one
    `)
    const questions = parseQuestions(`
      carl lists repository -> acme/one
      carl repository.read acme/two -> 404 by house.members
      olga lists repository -> acme/one, acme/two
    `)
    const judged = judgedIn(world, membersSeeRepositories, "2026-11-22T12:00:00Z")
    for (const question of questions) {
      expect(askPure(judged, question)).toEqual({ answer: question.answer, by: question.by })
    }
    expect(accessTables(quietFridays)).toContain(
      "| `house.quiet-fridays` | denies `git.push` | it is Friday and the caller is not a site administrator | nobody pushes on Fridays |"
    )
  })

  it("decide about custom resource types", () => {
    const at = { at: "2026-11-22T12:00:00Z", caller: undefined }
    const facts = { ...newSiteSwitches, ...ordinary, ...printers.at(at), reserved: true }
    expect(printers.authorize("printer.use", { ...facts, reserved: false }, "tray 1")).toMatchObject({
      allowed: true,
      action: "printer.use",
      resource: "tray 1",
      by: ["printer.free"]
    })
    expect(printers.decide("printer.use", facts)).toMatchObject({ allowed: false, answer: { status: 403 } })
    expect(printers.explain("printer.use", facts).steps.map(({ passed, stage }) => [stage, passed])).toEqual([
      ["scope", true],
      ["public-only", true],
      ["sign-in", true],
      ["role", false]
    ])
    expect(printers.changes("printer.use", facts)).toEqual([
      "the printer is free",
      "the caller is a site administrator"
    ])
    expect(printers.decide("printer.use", { ...facts, siteAdmin: true })).toMatchObject({ allowed: true })
    expect(printers.decide("printer.use", { ...facts, ...anonymous })).toMatchObject({ answer: { status: 401 } })
  })

  it.live("decide about a custom resource that an HTTP request names", () =>
    Effect.gen(function* () {
      const api = yield* house(printers)
      const asked = (who: string, query: string) => api.send("GET", `/access/${query}`, at(who))
      const why = yield* asked("root", "explain?user=carl&action=printer.use&resource=printer:tray-1")
      expect(why.json).toMatchObject({
        allowed: false,
        status: 403,
        user: { login: "carl" },
        rules: ["printer.use"],
        changes: ["the printer is free", "the caller is a site administrator"]
      })
      const actions = yield* asked("root", "actions?user=carl&resource=printer:tray-2")
      expect(actions.json.actions).toEqual([{ action: "printer.use", allowed: true, status: 200 }])
      // A missing printer gets the same response as all printers for callers without permission.
      const missing = yield* asked("root", "explain?action=printer.use&resource=printer:tray-9")
      const another = yield* asked("olga", "explain?action=printer.use&resource=printer:tray-2")
      expect([missing.status, another.status, missing.text]).toEqual([404, 404, another.text])
      expect((yield* asked("root", "explain?action=printer.use&resource=site")).status).toBe(422)
      const wrong = yield* asked("root", "explain?action=printer.use&resource=scanner:one")
      expect([wrong.status, message(wrong)]).toEqual([422, expect.stringContaining("printer:<name>, site or")])
      const description = yield* api.ask(200, "GET", "/openapi.json")
      expect(description["x-actions"]).toEqual({
        "printer.use": {
          on: "printer",
          summary: "Print a page",
          action: "printer.use",
          scope: ["write:misc"],
          guards: ["sign-in"],
          publicOnly: "refused",
          because: ["needs the scope write:misc", expect.any(String), "needs a sign-in", "Print a page"]
        }
      })
      expect((yield* api.fetch("GET", "/explore/actions.json")).json).toContainEqual({
        name: "printer.use",
        on: "printer",
        summary: "Print a page"
      })
    })
  )

  it("apply to custom resource types in scenarios, and report the changes that would reverse a decision", () => {
    const world = judgedIn(parseWorld("user bob\nuser root admin"), printers, "2026-11-22T12:00:00Z", {
      "printer tray-1": { reserved: true },
      "printer tray-2": { reserved: false }
    })
    const questions = parseQuestions(`
      bob printer.use tray-1 -> 403 by printer.use
      bob printer.use tray-2 -> allowed by printer.free
      root printer.use tray-1 -> allowed by printer.administrator
      anonymous printer.use tray-2 -> 401 by site.anonymous
    `)
    const checked = checkScenarios([{ name: "printers", world, questions }])
    expect(checked.map(({ got, passed }) => [got.answer, got.by.join(), passed])).toEqual([
      ["403", "printer.use", true],
      ["allowed", "printer.free", true],
      ["allowed", "printer.administrator", true],
      ["401", "site.anonymous", true]
    ])
    expect(explainIn(world, questions[0] as Question)?.changes).toEqual([
      "the printer is free",
      "the caller is a site administrator"
    ])
    expect(() => askPure(world, { ...(questions[0] as Question), things: ["tray-3"] })).toThrow(
      "`printer tray-3` is not in this world"
    )
  })

  it("are rejected by the compiler and at start if lists can't apply them", () => {
    const always = { id: "no", when: () => ({ op: "all" as const, of: [] }), because: "no" }
    const { builtIn } = PolicySet
    // @ts-expect-error a fact that lists don't know
    expect(() => builtIn.hide("repository", { ...always, when: ({ flag }) => flag("archived") })).toThrow(
      "the rule `no` asks about `archived`, which lists do not load"
    )
    // @ts-expect-error a list follows this guard
    expect(() => builtIn.replace("repository", "R:code", always)).toThrow("lists depend on it")
    // @ts-expect-error an unknown action
    expect(() => builtIn.forbid(["git.bush"], always)).toThrow("`git.bush` is not an action")
    expect(() => builtIn.forbid(["issue.read"], always)).toThrow("hide the resource instead")
    // @ts-expect-error a fact of another kind
    expect(() => builtIn.forbid(["git.push"], { ...always, when: ({ flag }) => flag("friday") })).toThrow(
      "`friday` is not a fact of this vocabulary"
    )
    // @ts-expect-error an unknown action
    expect(() => builtIn.decide("git.bush", {})).toThrow("`git.bush` is not an action")
  })
})
