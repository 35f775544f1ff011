import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { checkDeployScenario, formatDeployScenario } from "@slipway/testkit/deploy-access"

const shipped = readFileSync(join(import.meta.dirname, "../../scenarios/deploy.access"), "utf8")

describe("a formatted scenario file of deploy", () => {
  it("has one space between words, and aligned comments", () => {
    const text = `

# Shop
user   ann
\tproject shop   in  root # the shop
environment shop/production   protected   # no deployments


role  restarter view\toperate
ann  with  read ,write   application.update shop/production/web->403   by  write ,token
`
    const formatted = `# Shop
user ann
project shop in root                  # the shop
environment shop/production protected # no deployments

role restarter view operate
ann with read, write application.update shop/production/web -> 403 by write, token
`
    expect(formatDeployScenario(text)).toBe(formatted)
    expect(formatDeployScenario(formatted)).toBe(formatted)
    expect([formatDeployScenario(""), formatDeployScenario("\n\n")]).toEqual(["", ""])
  })

  it("accepts many lines with comments", () => {
    const text = "user ann # first\n".repeat(200_000)
    expect(formatDeployScenario(text)).toBe(text)
  })

  it("has the same meaning as before", () => {
    const spaced = shipped.replace(/^[^#\n]+$/gm, (line) => line.replaceAll(" ", "  ").replace("->", "   ->\t"))
    const meaning = (text: string) =>
      checkDeployScenario("shop", text).map(({ got, passed, question: { text: _, ...question } }) => [
        question,
        got,
        passed
      ])
    expect(formatDeployScenario(spaced)).toBe(shipped)
    expect(meaning(formatDeployScenario(spaced))).toEqual(meaning(shipped))
  })
})
