import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { checkDeployScenario } from "@slipway/testkit/deploy-access"
import { Effect } from "effect"
import { fixture, runForOutput } from "./support/command.ts"
import { startPlatform, withEnvironment } from "./support/platform.ts"

const shipped = "packages/testkit/scenarios/deploy.access"
const world = "user ann\nproject shop\nenvironment shop/production\napplication shop/production/web\n"

const problemOf = (text: string): string => {
  try {
    checkDeployScenario("s", text)
    return "none"
  } catch (problem) {
    return (problem as Error).message
  }
}

describe("scenarios of deploy", () => {
  it("meet every expectation of the shipped file", () => {
    const checked = checkDeployScenario(shipped, readFileSync(shipped, "utf8"))
    expect(checked.filter(({ passed }) => !passed)).toEqual([])
    expect(checked.length).toBe(43)
  })

  it("report the actual answer, the deciding rule and the missing role", () => {
    const text = `${world}grant ann viewer shop\nann application.deploy shop/production/web -> allowed\n`
    expect(checkDeployScenario("s", text)).toEqual([
      {
        scenario: "s",
        line: 6,
        question: { text: "ann application.deploy shop/production/web -> allowed", answer: "allowed", by: [] },
        got: { answer: "403", by: ["role-operate"] },
        passed: false,
        path: [
          "the role `deployer` on the resource or above it is missing (capability `operate`); a protected environment needs it on the environment itself"
        ]
      }
    ])
    const [other] = checkDeployScenario("s", `${world}ann application.read shop/production/web -> 404 by role-view\n`)
    expect(other?.passed).toBe(false)
  })

  it("report line, column and a similar word for a line that cannot be read", () => {
    expect([
      problemOf(`${world}grant bob viewer shop`),
      problemOf(`${world}grant ann boss shop`),
      problemOf(`${world}grant ann viewr shop`),
      problemOf(`${world}grant ann viewer blog`),
      problemOf(`${world}grant ann viewer`),
      problemOf("environment shop/production"),
      problemOf("project shop in nowhere"),
      problemOf("project shop on root"),
      problemOf("project shop in"),
      problemOf("user ann\nuser ann"),
      problemOf("group ops zoe"),
      problemOf("role x everything"),
      problemOf("role x vew"),
      problemOf("role viewer view"),
      problemOf("role x view\nrole x edit"),
      problemOf("user"),
      problemOf("planet mars"),
      problemOf("  progect shop"),
      problemOf(`${world}ann project.destroy shop -> allowed`),
      problemOf(`${world}ann project.raed shop -> allowed`),
      problemOf(`${world}ann with raed project.read shop -> allowed`),
      problemOf(`${world}ann project.read blog -> allowed`),
      problemOf(`${world}ann project.read -> allowed`),
      problemOf(`${world}ann project.read shop -> maybe`),
      problemOf(`${world}ann project.read shop -> alowed`),
      problemOf(`${world}ann project.read shop -> allowed -> 403`),
      problemOf(`${world}ann project.read shop -> allowed because role-view`),
      problemOf(`${world}bob project.read shop -> allowed`),
      problemOf(`${world}ann project.read shop/production -> allowed`),
      problemOf(`${world}ann project.create shop -> allowed`)
    ]).toEqual([
      "5:7: `bob` is not a user or group",
      "5:11: `boss` is not a role",
      "5:11: `viewr` is not a role; did you mean `viewer`?",
      "5:18: `blog` is not a place for grants",
      "5:1: expected a user or group, a role and a place",
      "1:13: `shop/production` is in no known project",
      "1:17: `nowhere` is not a team",
      "1:14: expected `in` and a team; did you mean `in`?",
      "1:1: expected `in` and a team",
      "2:6: `ann` already exists",
      "1:11: `zoe` is not a user",
      "1:8: `everything` is not a capability: use view, operate, edit, secrets, protection, terminal, infrastructure, members, ownership",
      "1:8: `vew` is not a capability: use view, operate, edit, secrets, protection, terminal, infrastructure, members, ownership; did you mean `view`?",
      "1:6: `viewer` is a built-in role",
      "2:6: `x` already exists",
      "1:1: a user needs a name",
      "1:1: `planet` is not expected here",
      "1:3: `progect` is not expected here; did you mean `project`?",
      "5:5: `project.destroy` is not an action",
      "5:5: `project.raed` is not an action; did you mean `project.read`?",
      "5:10: `raed` is not an ability; did you mean `read`?",
      "5:18: `blog` is not a resource of the scenario",
      "5:5: `project.read` needs a resource",
      "5:26: expected `allowed` or a status",
      "5:26: expected `allowed` or a status; did you mean `allowed`?",
      "5:1: a line has one expected answer; remove the second `->`",
      "5:34: `because` is not expected here",
      "5:1: `bob` is not a user",
      "5:18: `project.read` does not apply to `shop/production`",
      "5:20: `project.create` needs no resource: remove `shop`"
    ])
  })

  it("reject words that have no meaning", () => {
    const lines = [
      "user ann admin",
      "team acme private",
      "project shop in root now",
      "server builder in root now",
      "environment shop/production protcted",
      "environment shop/production protected now",
      "application shop/staging/web web",
      "grant ann viewer shop now"
    ]
    const before = (line: string) => {
      if (line.startsWith("grant")) return world
      return line.includes("/") ? "project shop\nenvironment shop/staging\n" : ""
    }
    expect(lines.map((line) => problemOf(`${before(line)}${line}`))).toEqual([
      "1:10: `admin` is not expected here",
      "1:11: `private` is not expected here",
      "1:22: `now` is not expected here",
      "1:24: `now` is not expected here",
      "3:29: `protcted` is not expected here; did you mean `protected`?",
      "3:39: `now` is not expected here",
      "3:30: `web` is not expected here",
      "5:23: `now` is not expected here"
    ])
  })

  it("accept a comma between expected rules, as scenarios of a forge", () => {
    const text = `${world}ann with read application.update shop/production/web -> 403 by write, write`
    expect(checkDeployScenario("s", text).map(({ passed, question }) => [passed, question.by])).toEqual([
      [true, ["write", "write"]]
    ])
  })

  it.effect("are checked by the command", () =>
    Effect.gen(function* () {
      const command = ["access", "test", "--service", "deploy", shipped]
      expect(yield* runForOutput(...command)).toBe("43 of 43 expectations are met")
      expect(yield* runForOutput("access", "test", shipped)).toContain("is not a resource type")
    }).pipe(Effect.provide(fixture))
  )

  const commands = Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-access-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    ),
    (directory) => ({
      /** Writes a scenario and returns its file. */
      file: (name: string, text: string) => {
        writeFileSync(join(directory, name), text)
        return join(directory, name)
      },
      access: (command: string, ...args: ReadonlyArray<string>) =>
        runForOutput("access", command, "--service", "deploy", ...args)
    })
  )

  it.effect("have a matrix, of some actions or the usual ones", () =>
    Effect.gen(function* () {
      const { access } = yield* commands
      const actions = ["--action", "application.deploy", "--action", "settings.update"]
      expect(yield* access("matrix", shipped, ...actions, "--format", "csv")).toBe(
        [
          "who,application.deploy shop/production/web,application.deploy shop/staging/web,application.deploy blog/production/site,settings.update",
          "ann,403,yes,403,403",
          "bob,403,yes,403,403",
          "carol,yes,403,403,403",
          "dave,403,403,yes,403",
          "eve,404,404,404,403",
          "frank,403,yes,403,403"
        ].join("\n")
      )
      const usual = yield* access("matrix", shipped)
      expect(usual).toMatch(/^ +ann +bob +carol +dave +eve +frank$/m)
      expect(usual).toMatch(/^application.secrets shop\/production\/web +403 +403 +403 +403 +404 +403$/m)
      expect(usual).toMatch(/^project.update secret +404 +404 +404 +404 +yes +404$/m)
      expect(yield* access("matrix", shipped, "--format", "svg")).toContain("<svg ")
      expect(yield* access("matrix", shipped, "--action", "project.destroy")).toBe("`project.destroy` is not an action")
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.effect("show what a user gains and loses between two files", () =>
    Effect.gen(function* () {
      const { access, file } = yield* commands
      const before = file("before.access", `${world}user bob\ngrant ann viewer shop\n`)
      const after = file("after.access", `${world}user bob\ngrant bob deployer shop/production\n`)
      expect(yield* access("diff", before, before)).toBe("no access changes")
      const changes = (yield* access("diff", before, after)).split("\n")
      expect(changes).toContain("- ann loses on project shop: environment.list, project.read, sharedVariable.list")
      expect(changes).toContain("+ bob gains on environment shop/production: environment.read, sharedVariable.list")
      expect(changes.some((line) => /^- ann loses on application .*: application\.read, /.test(line))).toBe(true)
      expect(changes.some((line) => /^\+ bob gains on application .*application\.deploy, /.test(line))).toBe(true)
      expect(changes.some((line) => line.includes("bob gains on project"))).toBe(false)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.effect("explain an answer, with the smallest grants that would change it", () =>
    Effect.gen(function* () {
      const { access } = yield* commands
      expect(yield* access("explain", shipped, "bob", "application.deploy", "shop/production/web")).toBe(
        [
          "403 by role-operate",
          "passes deploy (deploy: tokens with `deploy` or `root` may)",
          "passes there (there: a team of the caller has the resource)",
          "passes token (token: the token is not limited to other projects)",
          "stops role-operate (no role of the caller may deploy, restart, stop, cancel, roll back and run tasks; the environment is protected; no role on the environment or the resource itself may deploy; no role of the caller may deploy to protected environments and read their secrets)",
          "would change it: grant bob deployer shop/production/web",
          "would change it: grant bob deployer shop/production",
          "would change it: grant bob admin shop",
          "would change it: grant bob admin root"
        ].join("\n")
      )
      // A resource of another team has no steps.
      expect(yield* access("explain", shipped, "bob", "project.read", "secret")).toBe(
        ["404 by there", "would change it: grant bob viewer secret", "would change it: grant bob viewer acme"].join(
          "\n"
        )
      )
      expect(yield* access("explain", shipped, "carol", "application.deploy", "shop/production/web")).toContain(
        "allowed by role-operate\n"
      )
      expect(yield* access("explain", shipped, "ann", "settings.update")).toContain(
        "would change it: grant ann owner root"
      )
      expect(yield* access("explain", shipped, "ann", "with", "read", "project.update", "shop")).toBe(
        "403 by write\nstops write (the token lacks `write`; the token lacks `root`)"
      )
      expect(yield* access("explain", shipped, "zoe", "project.read", "shop")).toBe("`zoe` is not a user")
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.effect("reject flags that apply only to a forge, and name the file of an unreadable line", () =>
    Effect.gen(function* () {
      const { access, file } = yield* commands
      const only = (flag: string) => `--${flag} applies only to a forge: remove it, or use --service forge`
      expect(yield* access("matrix", shipped, "--scenario", "x")).toBe(only("scenario"))
      expect(yield* access("test", shipped, "--rules", "built-in")).toBe(only("rules"))
      expect(yield* access("diff", shipped, shipped, "--rules", "built-in")).toBe(only("rules"))
      expect(yield* access("export", "http://127.0.0.1:1", "--organization", "acme")).toBe(only("organization"))
      const bad = file("bad.access", "planet mars")
      expect(yield* access("matrix", bad)).toBe(`${bad}:1:1: \`planet\` is not expected here`)
      expect(yield* access("test", bad)).toBe(`${bad}:1:1: \`planet\` is not expected here`)
    }).pipe(Effect.scoped, Effect.provide(fixture))
  )

  it.live("are exported from a running platform", () =>
    Effect.gen(function* () {
      const { access, file } = yield* commands
      const grant = { uuid: "g", team_id: 3, group_uuid: null, place_uuid: null, place_type: "team" }
      const answers: Record<string, unknown> = {
        "/team": { id: 3, name: "Acme Inc" },
        "/team/members": [
          { account_uuid: "u1", name: "ann" },
          { account_uuid: "u2", name: "Bob Smith" },
          { account_uuid: "u3", name: "ann" }
        ],
        "/teams/3/groups": [{ uuid: "o1", name: "On call", members: ["u2", "left", "u3"] }],
        "/roles": [
          { uuid: null, name: "owner", capabilities: ["view"] },
          { uuid: "r1", name: "re starter", capabilities: ["view", "operate"] },
          { uuid: "r2", name: "viewer", capabilities: ["operate"] }
        ],
        "/grants": [
          { ...grant, account_uuid: "u1", role: "owner" },
          { ...grant, account_uuid: "u2", place_type: "environment", place_uuid: "e1", role: "r1" },
          { ...grant, account_uuid: "u3", place_type: "database", place_uuid: "d1", role: "viewer" },
          { ...grant, account_uuid: "left", role: "viewer" },
          { ...grant, account_uuid: null, group_uuid: "o1", place_type: "project", place_uuid: "p1", role: "deployer" }
        ],
        "/servers?per_page=50&page=1": [{ uuid: "s1", name: "builder" }],
        "/projects?per_page=50&page=1": [{ uuid: "p1", name: "shop" }],
        "/projects/p1": {
          uuid: "p1",
          name: "shop",
          environments: [{ uuid: "e1", name: "production", is_protected: true }]
        },
        "/resources": [
          { uuid: "a1", name: "web", type: "application", environment_uuid: "e1" },
          { uuid: "a2", name: "web", type: "service", environment_uuid: "e1" },
          { uuid: "d1", name: null, type: "standalone-postgresql", environment_uuid: "e1" }
        ]
      }
      const { url } = yield* startPlatform((line) => [200, answers[line.replace("GET ", "")]])
      const text = yield* access("export", url)
      expect(text.split("\n")).toEqual([
        "user ann",
        "user Bob-Smith",
        "user ann-2",
        "group On-call Bob-Smith ann-2",
        "team Acme-Inc",
        "server builder in Acme-Inc",
        "project shop in Acme-Inc",
        "environment shop/production protected",
        "application shop/production/web",
        "service shop/production/web-2",
        "database shop/production/d1",
        "role re-starter view operate",
        "role viewer-2 operate",
        "grant ann owner Acme-Inc",
        "grant Bob-Smith re-starter shop/production",
        "grant ann-2 viewer shop/production/d1",
        "grant On-call deployer shop"
      ])
      const exported = file("exported.access", `${text}\nBob-Smith application.deploy shop/production/web -> allowed`)
      expect(yield* access("test", exported)).toBe("1 of 1 expectations are met")
      const other = yield* startPlatform(() => [403, {}])
      expect(yield* access("export", other.url)).toBe(`${other.url} responds with 403 to /team`)
    }).pipe(withEnvironment({ SLIPWAY_TOKEN: "t0ken" }), Effect.scoped, Effect.provide(fixture))
  )
})
