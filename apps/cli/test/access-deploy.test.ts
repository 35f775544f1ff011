import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { checkDeployScenario } from "@slipway/testkit/deploy-access"
import { Effect } from "effect"
import { fixture, runForOutput } from "./support/command.ts"

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
    expect(checked.length).toBe(27)
  })

  it("report the actual answer, the deciding rule and the missing role", () => {
    const text = `${world}grant ann viewer shop\nann application.deploy shop/production/web -> allowed\n`
    expect(checkDeployScenario("s", text)).toEqual([
      {
        scenario: "s",
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

  it("name the line that cannot be read", () => {
    expect([
      problemOf(`${world}grant bob viewer shop`),
      problemOf(`${world}grant ann boss shop`),
      problemOf(`${world}grant ann viewer blog`),
      problemOf("environment shop/production"),
      problemOf("project shop in nowhere"),
      problemOf("user ann\nuser ann"),
      problemOf("role x everything"),
      problemOf("planet mars"),
      problemOf(`${world}ann project.destroy shop -> allowed`),
      problemOf(`${world}ann project.read blog -> allowed`),
      problemOf(`${world}ann project.read shop -> maybe`),
      problemOf(`${world}bob project.read shop -> allowed`)
    ]).toEqual([
      "line 5: `bob` is not a user",
      "line 5: `boss` is not a role",
      "line 5: `blog` is not a place for grants",
      "line 1: `shop/production` is in no known project",
      "line 1: expected `in` and a team",
      "line 2: `ann` already exists",
      "line 1: `everything` is not a capability: use view, operate, edit, secrets, protection, infrastructure, members, ownership",
      "line 1: `planet` is not expected here",
      "line 5: `project.destroy` is not an action",
      "line 5: `blog` is not a resource of the scenario",
      "line 5: expected `allowed` or a status",
      "line 5: `bob` is not a user"
    ])
  })

  it.effect("are checked by the command", () =>
    Effect.gen(function* () {
      const command = ["access", "test", "--service", "deploy", shipped]
      expect(yield* runForOutput(...command)).toBe("27 of 27 expectations are met")
      expect(yield* runForOutput("access", "test", shipped)).toContain("is not a resource type")
    }).pipe(Effect.provide(fixture))
  )
})
