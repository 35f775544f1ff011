import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { PolicySet } from "@slipway/domain/forge/access"
import { formatScenarios, scenarioWords } from "@slipway/testkit/access"
import { formatDeployScenario, isDeployScenario } from "@slipway/testkit/deploy-access"

const root = join(import.meta.dirname, "../..")
const exclude = ["**/node_modules/**", "**/dist/**"]
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude }).sort()
const read = (file: string) => readFileSync(join(root, file), "utf8")

/** The scenario files of the repository, and those that the documents show. */
const scenarios = [
  ...find("{packages,apps,examples,docs}/**/*.access").map((file) => ({ name: file, text: read(file) })),
  ...find("{*.md,{packages,apps,examples,docs}/**/*.md}").flatMap((file) =>
    [...read(file).matchAll(/^```\w+ file=(\S+\.access)\n(.*?)^```$/gms)].map(({ 1: name, 2: text = "" }) => ({
      name: `${file}: ${name}`,
      text
    }))
  )
]

const words = scenarioWords(PolicySet.builtIn.rulebook)

describe("the scenario files of the repository", () => {
  it("are formatted", () => {
    const formatted = (text: string) =>
      isDeployScenario(text, words) ? formatDeployScenario(text) : formatScenarios(text)
    expect(scenarios.filter(({ text }) => formatted(text) !== text).map(({ name }) => name)).toEqual([])
    expect(scenarios.length).toBe(10)
  })
})

describe("the service of a scenario file", () => {
  it("is that of the first line that only one service has", () => {
    expect(
      [
        read("packages/testkit/scenarios/deploy.access"),
        "user ann\nteam acme\nproject shop\n",
        "# a forge\nuser ann\norganization acme\nproject shop\n",
        "scenario one\nproject shop\n",
        "user ann\nann account.read -> allowed\n",
        "  role restarter view\r\n",
        ""
      ].map((text) => isDeployScenario(text, words))
    ).toEqual([true, true, false, false, false, true, false])
  })
})
