import { describe, expect, it } from "@effect/vitest"
import { formatScenarios, parseScenarios } from "@slipway/testkit/access"
import { shippedFiles } from "../../../../scripts/vitest/scenarios.ts"

describe("a formatted scenario file", () => {
  it("has one space between words, and aligned comments", () => {
    const text = `

# Company
user   olga   admin# not a comment
user bob     # writes
\torganization acme   # a company


team  acme/crew  code=write on site :bob,olga
team acme/Owners :
protection acme/site main push=bob,crew
token bob/ci read:repository
scenario one  two
bob  with  read:repository ,public-only   repository.read acme/site->403   by  token.scope , other
olga lists repository ->
# last
scenario three
`
    const formatted = `# Company
user olga admin# not a comment
user bob          # writes
organization acme # a company

team acme/crew code=write on site: bob, olga
team acme/Owners:
protection acme/site main push=bob,crew
token bob/ci read:repository

scenario one two
bob with read:repository, public-only repository.read acme/site -> 403 by token.scope, other
olga lists repository ->
# last

scenario three
`
    expect(formatScenarios(text)).toBe(formatted)
    expect(formatScenarios(formatted)).toBe(formatted)
    expect([formatScenarios(""), formatScenarios("\n\n")]).toEqual(["", ""])
  })

  it("has the same meaning as before", () => {
    expect(shippedFiles.length).toBe(4)
    for (const { file, text } of shippedFiles) {
      const formatted = formatScenarios(text)
      const meaning = (each: string) =>
        parseScenarios(each, file).map(({ name, questions, world }) => ({
          name,
          world,
          questions: questions.map(({ text: _, ...question }) => question)
        }))
      expect(meaning(formatted)).toEqual(meaning(text))
      expect(formatScenarios(formatted)).toBe(formatted)
    }
  })
})
