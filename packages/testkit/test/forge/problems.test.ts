import { describe, expect, it } from "@effect/vitest"
import { FileAnalyser, type Problem, problemsOf } from "@slipway/testkit/access"
import { shippedFiles } from "../../../../scripts/vitest/scenarios.ts"

const shown = ({ end, line, message, severity, start }: Problem) =>
  `${line + 1}:${start + 1}-${end} ${severity}: ${message}`

describe("the problems of a scenario file", () => {
  it("are absent from valid files", () => {
    const analyser = new FileAnalyser()
    expect(shippedFiles.length).toBe(4)
    for (const { text } of shippedFiles) {
      expect(analyser.analyse(text).problems.map(shown)).toEqual([])
    }
  })

  it("contain the line, the columns and a similar known word", () => {
    const text = `usr bob
user bob admn # a comment
user ann
organization acme
  repository acm/site
team acme/x cod=write on site: bob
team acme/y code=write on sit: bob, an
token ann/ci read:repositry
block acme eve
`
    expect(problemsOf(text).map(shown)).toEqual([
      "1:1-3 error: `usr` is not a resource type; did you mean `user`?",
      "2:10-13 error: `admn` is unknown here; did you mean `admin`?",
      "5:14-16 error: `acm` is not an owner in this world; did you mean `acme`?",
      "6:13-15 error: `cod` is not a unit; did you mean `code`?",
      "7:27-29 warning: `sit` is not a repository in this world",
      "7:37-38 error: `an` is not a user in this world; did you mean `ann`?",
      "8:14-27 error: `read:repositry` is not a scope; did you mean `read:repository`?",
      "9:12-14 error: `eve` is not a user in this world"
    ])
  })

  it("include unknown callers, actions, resources, answers and rules in expectations", () => {
    const text = `user ann
repository ann/site
boob repository.read ann/site -> allowed
ann repository.reed ann/site -> allowed
ann repository.read ann/sit -> alowed by repository.publik
ann with ci repository.read ann/site -> 404
ann repository.read -> 404
ann pushes ann/site -> 403
ann lists repositories -> ann/site
ann lists repository -> ann/sight
ann issue.read ann/site#7 -> 404 by item.missing
ann repository.read ann/site
`
    expect(problemsOf(text).map(shown)).toEqual([
      "3:1-4 error: `boob` is not a user in this world",
      "4:5-19 error: `repository.reed` is not an action; did you mean `repository.read`?",
      "5:21-27 error: `ann/sit` is not a repository in this world; did you mean `ann/site`?",
      "5:32-37 warning: `alowed` is not an answer, which is `allowed` or the status of the refusal; did you mean `allowed`?",
      "5:42-58 warning: `repository.publik` is not a rule; did you mean `repository.public`?",
      "6:10-11 error: `ci` is neither a scope nor a token of ann",
      "7:5-19 error: `repository.read` needs a repository",
      "8:5-10 error: `pushes` needs a branch",
      "9:11-22 error: `repositories` is not a list; did you mean `repository`?",
      "10:25-33 warning: `ann/sight` is not a repository in this world",
      "12:1-3 error: `ann` is not a resource type"
    ])
  })

  it("are found separately for each scenario, after the shared lines before the first one", () => {
    const text = `user ann
collaborator ann read ann/site
scenario one
repository ann/site
ann repository.read ann/site -> allowed
scenario two
collaborator ann read ann/notes
repository ann/notes
ann repository.read ann/site -> allowed
`
    expect(problemsOf(text).map(shown)).toEqual([
      "2:23-30 error: `ann/site` must be defined above this line",
      "7:23-31 error: `ann/notes` must be defined above this line",
      "9:21-28 error: `ann/site` is not a repository in this world"
    ])
  })
})
