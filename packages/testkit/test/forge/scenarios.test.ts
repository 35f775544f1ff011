import { describe, expect, it } from "@effect/vitest"
import { Facts } from "@slipway/access"
import { PolicySet } from "@slipway/domain/forge/access"
import {
  checkScenarios,
  diffLines,
  diffWorlds,
  matrixOf,
  parseWorld,
  printWorld,
  readScenarios,
  report,
  scenarioJsonSchema,
  showMatrix
} from "../../src/forge/access/index.ts"

const company = `
user olga
user bob          # writes
organization acme private
repository acme/site private
team acme/Owners: olga
team acme/builders code=write on site: bob
token bob/ci read:repository public-only
protection acme/site main push=olga
`

const text = `${company}
bob repository.contents.change acme/site -> allowed by repository.team
bob with ci repository.read acme/site -> 403 by token.public-only
bob pushes acme/site main -> 403 by protection.push
bob pushes acme/site topic -> allowed
anonymous repository.read acme/site -> 404
olga lists repository -> acme/site
`

const yaml = `
world:
  users:
    olga: {}
    bob: { tokens: { ci: [read:repository, public-only] } }
  organizations:
    acme:
      visibility: private
      teams:
        Owners: { members: [olga] }
        builders: { units: { code: write }, repositories: [site], members: [bob] }
  repositories:
    acme/site: { private: true, protections: { main: { push: [olga] } } }
scenarios:
  - name: what bob may do
    expect:
      - bob repository.contents.change acme/site -> allowed by repository.team
      - { who: bob, with: [ci], does: repository.read, on: [acme/site], answer: 403, by: [token.public-only] }
      - { who: olga, does: lists, on: [repository], answer: [acme/site] }
`

const passed = (file: string, content: string) =>
  checkScenarios(readScenarios(file, content)).map((each) => each.passed)

describe("scenario files", () => {
  it("have the same content as text and as YAML", () => {
    expect(passed("acme.access", text)).toEqual([true, true, true, true, true, true])
    expect(passed("acme.yaml", yaml)).toEqual([true, true, true])
    expect(readScenarios("acme.yaml", yaml)[0]?.world).toEqual(parseWorld(company))
  })

  it("start each scenario with the lines before the first scenario", () => {
    const scenarios = readScenarios(
      "two.access",
      "user bob\nscenario alone\nbob lists user -> bob\nscenario in company\nuser cy\nbob lists user -> bob, cy\n"
    )
    expect(scenarios.map(({ name }) => name)).toEqual(["alone", "in company"])
    expect(checkScenarios(scenarios).every((each) => each.passed)).toBe(true)
  })

  it("report the file, the line and the reason of a parse error", () => {
    expect(() => readScenarios("a.access", "user bob\nusr cy")).toThrow(
      "a.access:2:1: `usr` is not a resource type; did you mean `user`?"
    )
    expect(() => readScenarios("a.access", "user bob\nbob with pink user.read bob -> allowed")).toThrow(
      "a.access:2:10: `pink` is neither a scope nor a token of bob"
    )
    expect(() => readScenarios("a.yaml", "scenarios: [{ name: x, expect: [], wat: 1 }]")).toThrow(/^a\.yaml: .*wat/s)
    expect(() => readScenarios("a.yaml", "scenarios: [")).toThrow(/^a\.yaml: /)
    expect(() =>
      readScenarios("a.yaml", "world: { repositories: { a/b: {} } }\nscenarios: [{ name: x, expect: [] }]")
    ).toThrow("a.yaml: no such owner: `a`")
  })

  it("have a JSON schema for YAML", () => {
    const schema = JSON.stringify(scenarioJsonSchema())
    for (const word of ["2020-12", "protections", "secondFactor", "trackedTime", "write:repository", "ext_wiki"]) {
      expect(schema).toContain(word)
    }
    expect(schema).not.toContain('"additionalProperties":true')
  })
})

describe("custom rules", () => {
  const house = PolicySet.builtIn
    .withFacts({
      friday: { yes: "it is Friday", no: "it is not Friday", holds: ({ at }) => new Date(at).getUTCDay() === 5 },
      isBob: { yes: "it is Bob", no: "it is somebody else", holds: ({ caller }) => caller?.name === "bob" }
    })
    .withKind("printer", {
      reserved: Facts.flag("the printer is reserved", "the printer is free"),
      size: Facts.worded("the paper", ["a4", "a3"]),
      speed: Facts.ordered("the printer's speed", [0, 1, 2], ["slow", "fast", "faster"])
    })
    .withAction("printer.use", {
      on: "printer",
      summary: "Print a page",
      access: "write",
      scope: ["misc"],
      guards: ["sign-in"],
      grants: [
        {
          id: "house.bob",
          when: ({ all, flag, not }) => all(flag("isBob"), not(flag("friday"))),
          because: "Bob prints"
        },
        { id: "house.own", when: ({ flag }) => flag("reserved"), because: "they reserved it" },
        {
          id: "house.fast",
          when: ({ all, atLeast, is }) => all(atLeast("speed", 1), is("size", "a3")),
          because: "fast ones are for all"
        }
      ]
    })
  const things = `
    user bob
    user eve
    at 2026-11-20T12:00:00.000Z
    printer one
    printer two reserved=eve size=a3
    printer three size=a3 speed=faster`
  const asked = `
    bob printer.use one -> 403 by printer.use
    eve printer.use two -> allowed by house.own
    bob printer.use two -> 403
    bob printer.use three -> allowed by house.fast`
  const yaml = `
world:
  users: { bob: {}, eve: {} }
  at: "2026-11-20T12:00:00Z"
  things:
    - { kind: printer, name: one }
    - { kind: printer, name: two, facts: { reserved: eve, size: a3 } }
    - { kind: printer, name: three, facts: { size: a3, speed: faster } }
scenarios:
  - name: printing
    expect: [bob printer.use one -> 403, eve printer.use two -> allowed by house.own]
  - name: on Saturday
    world: { at: "2026-11-21T12:00:00Z" }
    expect: [bob printer.use one -> allowed by house.bob, eve printer.use one -> 403]`

  it("decide in text and in YAML, at the given time, for each caller", () => {
    const world = parseWorld(things, house)
    const checked = checkScenarios(readScenarios("house.access", things + asked, house))
    expect(checked.map(({ passed }) => passed)).toEqual([true, true, true, true])
    const scenarios = readScenarios("house.yaml", yaml, house)
    expect(scenarios[0]?.world).toEqual(world)
    expect(checkScenarios(scenarios).map(({ passed }) => passed)).toEqual([true, true, true, true])
    expect(parseWorld(printWorld(world), house)).toEqual(world)
  })

  it("are included in matrices, comparisons and the schema", () => {
    const world = parseWorld(things, house)
    expect(showMatrix("csv", matrixOf(world, ["printer.use"]))).toBe(
      [
        "who,printer.use one,printer.use two,printer.use three",
        "anonymous,401,401,401",
        "bob,403,403,yes",
        "eve,403,yes,yes"
      ].join("\n")
    )
    expect(matrixOf(world).columns).toEqual(["printer.use one", "printer.use two", "printer.use three"])
    const after = parseWorld(things.replace("reserved=eve ", ""), house)
    expect(diffLines(diffWorlds(world, after))).toEqual(["- eve loses on printer two: printer.use"])
    const schema = JSON.stringify(scenarioJsonSchema(house))
    for (const word of ['"printer"', "the paper", '"faster"', "the printer is reserved; true, false"]) {
      expect(schema).toContain(word)
    }
  })

  it("report the unknown words of a scenario", () => {
    expect(() => parseWorld("printer one", undefined)).toThrow("`printer` is not a resource type")
    expect(() => parseWorld("printer one loud", house)).toThrow("`loud` is unknown here: `printer one loud`")
    expect(() => parseWorld("printer one size=a5", house)).toThrow("`size=a5` is unknown here")
    expect(() => parseWorld("printer one reserved=eve", house)).toThrow("no such user in this world: `eve`")
    expect(() => parseWorld("at noon", house)).toThrow("`noon` is not a time")
    const wrong = "world: { things: [{ kind: scanner, name: one }] }\nscenarios: []"
    expect(() => readScenarios("a.yaml", wrong, house)).toThrow(/^a\.yaml: /)
  })
})

describe("a report of scenario results", () => {
  const checked = checkScenarios(
    readScenarios(
      "acme.access",
      `${company}\nbob repository.delete acme/site -> allowed\nbob user.raed bob -> 404\nolga lists user -> bob, olga`
    )
  )

  it("contains the expected and the actual answer, the rules and the steps", () => {
    expect(report("text", checked)).toBe(
      [
        "acme.access: bob repository.delete acme/site -> allowed",
        "  expected: allowed",
        "  got:      403 by repo-owner",
        "    passes scope: needs the scope write:repository",
        "    passes visibility: needs access to the repository (repository.team: members have the highest level of their teams on the unit)",
        "    passes public-only: needs a public resource if the token is public-only",
        "    passes public-only: needs the repository of the job if the caller is a job",
        "    passes sign-in: needs a sign-in",
        "    stops role: needs to own the repository",
        "",
        "acme.access: bob user.raed bob -> 404",
        "  expected: 404",
        "  got:      `user.raed` is not an action",
        "",
        "1 of 3 expectations are met"
      ].join("\n")
    )
  })

  it("has the formats TAP and JUnit XML", () => {
    const tap = report("tap", checked).split("\n")
    expect(tap.slice(0, 4)).toEqual([
      "TAP version 14",
      "1..3",
      "not ok 1 - acme.access: bob repository.delete acme/site -> allowed",
      "  ---"
    ])
    expect(tap.at(-1)).toBe("ok 3 - acme.access: olga lists user -> bob, olga")
    const junit = report("junit", checked)
    expect(junit).toContain('<testsuites tests="3" failures="2">')
    expect(junit).toContain('<failure message="expected allowed, got 403 by repo-owner">')
    expect(junit).toContain('name="bob repository.delete acme/site -&gt; allowed"')
  })
})

describe("worlds", () => {
  const world = parseWorld(company)

  it("can be printed as text that parses to the same world", () => {
    const busy = `${company}
      site +secondFactorRequired -stars
      user ann private admin second-factor no-organizations
      team acme/all public creates admin on *: bob, ann
      repository bob/old archived mirror off=wiki,code
      collaborator ann write bob/old
      issue acme/site#1 author=bob locked
      block bob ann
      protection acme/site release/* push=* force=builders,bob`
    expect(parseWorld(printWorld(parseWorld(busy)))).toEqual(parseWorld(busy))
  })

  it("can be shown as a matrix in four formats", () => {
    const matrix = matrixOf(world, ["repository.read", "repository.delete"])
    expect(matrix).toEqual({
      columns: ["repository.read acme/site", "repository.delete acme/site"],
      rows: [
        { who: "anonymous", cells: ["404", "404"] },
        { who: "olga", cells: ["yes", "yes"] },
        { who: "bob", cells: ["yes", "403"] }
      ]
    })
    expect(showMatrix("table", matrix).split("\n")[2]).toBe("repository.delete acme/site  404        yes   403")
    expect(showMatrix("csv", matrix)).toContain("bob,yes,403")
    expect(showMatrix("markdown", matrix)).toContain("| `repository.delete acme/site` | 404 | yes | 403 |")
    expect(showMatrix("svg", matrix)).toContain("<title>bob: repository.delete acme/site: 403</title>")
    expect(() => matrixOf(world, ["repository.raed"])).toThrow("`repository.raed` is not an action")
  })

  it("can be compared by gained and lost permissions", () => {
    expect(diffLines(diffWorlds(world, world))).toEqual(["no access changes"])
    const without = parseWorld(company.replace("code=write on site: bob", "code=read on site:"))
    const changes = diffWorlds(world, without)
    const onSite = changes.filter(({ thing }) => thing === "repository acme/site")
    expect(onSite.map(({ gains, who }) => [who, gains])).toEqual([["bob", []]])
    expect(onSite[0]?.loses).toContain("repository.contents.change")
    expect(diffWorlds(without, world).every(({ loses }) => loses.length === 0)).toBe(true)
    const more = diffWorlds(world, parseWorld(`${company}\nuser eve`))
    expect(more.filter(({ who }) => who === "eve").length).toBeGreaterThan(0)
  })
})
