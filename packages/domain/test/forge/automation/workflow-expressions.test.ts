import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { expression } from "../../../../../scripts/vitest/workflowSupport.ts"
import {
  evaluate,
  evaluateText,
  holds,
  problemOf,
  scopeOf
} from "../../../src/forge/automation/workflows/expressions.ts"
import type { PlainValue } from "../../../src/forge/automation/workflows/Workflow.ts"

const github: PlainValue = {
  ref: "refs/heads/main",
  head_ref: "",
  event_name: "push",
  run_id: "7",
  event: { labels: [{ name: "bug", by: { login: "ann" } }, { name: "ui" }], list: [1, 2], flag: true }
}
const scope = { contexts: { github, vars: { LEVEL: "High" } }, budget: { left: 1e9 } }

describe("expressions of workflows", () => {
  it.each(["github", "forge", "gitea", "forgejo"])("provide the run as the context %s", (name) => {
    expect(evaluate(`${name}.ref`, scopeOf({ github }))).toEqual(Result.succeed("refs/heads/main"))
    expect(problemOf(expression(`${name}.ref`), [])).toBeUndefined()
  })

  it.each<readonly [string, PlainValue]>([
    ["'it''s'", "it's"],
    ["-1.5e1", -15],
    ["0x1f", 31],
    ["null", null],
    ["github.ref", "refs/heads/main"],
    ["github['event_name']", "push"],
    ["GitHub.Event_Name", "push"],
    ["github.nothing.more", null],
    ["vars.constructor", null],
    [`github${".a".repeat(900)}`, null],
    ["github.event.list[1]", 2],
    ["github.event.labels.*.name", ["bug", "ui"]],
    ["github.event.labels[*].by.login", ["ann"]],
    ["github.head_ref || github.run_id", "7"],
    ["github.event_name == 'PUSH' && 'yes' || 'no'", "yes"],
    ["!(1 == 2) && !false", true],
    ["1 < 2 == true", true],
    ["'b' >= 'A'", true],
    ["null == 0", true],
    ["'1' == 1", true],
    ["'x' == 0", false],
    ["contains(github.event.labels.*.name, 'UI')", true],
    ["contains('Hello', 'ell')", true],
    ["startsWith(github.ref, 'refs/heads/')", true],
    ["endsWith(github.ref, 'x')", false],
    ["format('{0} of {1} {{0}}', 'a', 2)", "a of 2 {0}"],
    ["join(github.event.list, '-')", "1-2"],
    ["join(github.event.list)", "1,2"],
    ["fromJSON('{\"a\":[true]}').a[0]", true],
    ["toJSON(github.event.list)", "[\n  1,\n  2\n]"]
  ])("%s", (text, value) => {
    expect(evaluate(text, scope)).toEqual(Result.succeed(value))
  })

  it.each([
    ["secrets.KEY", "`secrets` is not available here"],
    ["hashFiles('x')", "`hashfiles` is not available here"],
    ["constructor('x')", "`constructor` is not available here"],
    ["toJSON(constructor)", "`constructor` is not available here"],
    ["__proto__", "`__proto__` is not available here"],
    ["'open", "it is empty"],
    ["a &", "it is empty"],
    ["github.", "a dot has no name after it"],
    ["(1", "it lacks `)`"],
    ["1 2", "it has unexpected text after its end"],
    ["", "it lacks a value"],
    ["fromJSON('{')", "`fromJSON` got invalid JSON"]
  ])("are rejected with the reason if they are invalid: %s", (text, because) => {
    expect(evaluate(text, scope)).toEqual(Result.fail(because))
  })

  it("are rejected if they exceed the limits on nesting and length (invariant I25)", () => {
    expect(evaluate(`${"(".repeat(60)}1${")".repeat(60)}`, scope)).toEqual(Result.fail("it is nested too deeply"))
    expect(evaluate("!".repeat(9_000), scope)).toEqual(Result.fail("it is nested too deeply"))
    expect(evaluate(" ".repeat(10_001), scope)).toEqual(Result.fail("it has more than 10000 characters"))
    const doubled = (text: string): string => `format('${"{0}".repeat(40)}', ${text})`
    const long = [1, 2, 3, 4, 5].reduce(doubled, "'xxxxxxxxxx'")
    expect(evaluate(long, scope)).toEqual(Result.fail("its result is too long"))
    // Chained operators nest as well, even if they do not look nested.
    for (const long of [`github${".a".repeat(4_900)}`, `1${"==1".repeat(3_300)}`, `github${"[0]".repeat(3_300)}`]) {
      expect(evaluate(long, scope)).toEqual(Result.fail("it is nested too deeply"))
    }
    const deep = { ...scope, contexts: { vars: { DEEP: `${"[".repeat(30_000)}${"]".repeat(30_000)}` } } }
    for (const call of ["fromJSON(vars.DEEP)", "toJSON(fromJSON(vars.DEEP))", "contains(fromJSON(vars.DEEP), 1)"]) {
      expect(evaluate(call, deep)).toEqual(Result.fail("`fromJSON` got JSON that is nested too deeply"))
    }
    expect(evaluate(`toJSON(fromJSON('${"[".repeat(100)}${"]".repeat(100)}'))`, scope)).toMatchObject({ success: {} })
    // All expressions share one budget, so the next one fails.
    const few = { ...scope, budget: { left: 86 } }
    expect(evaluate("contains('0123456789', '9')", few)).toEqual(Result.succeed(true))
    expect(evaluate("contains('0123456789', '9')", few)).toEqual(Result.succeed(true))
    expect(evaluate("1", few)).toEqual(Result.succeed(1))
    expect(evaluate("contains('0123456789', '9')", few)).toEqual(
      Result.fail("it takes too long, together with the previous ones")
    )
    // Reading a large value costs its size, and searching a long text costs every possible position.
    const large = (left: number) => ({
      contexts: {
        github: { list: Array.from({ length: 100 }, () => ({ name: "x".repeat(100) })) },
        a: "a".repeat(90_000)
      },
      budget: { left }
    })
    for (const call of ["toJSON(github)", "join(github.list)", "format('{0}', github)", "contains(github, 'y')"]) {
      expect(evaluate(call, large(10_000))).toEqual(Result.fail("it takes too long, together with the previous ones"))
    }
    expect(evaluate("contains(a, format('{0}b{0}', a))", large(2_000_000))).toEqual(
      Result.fail("it takes too long, together with the previous ones")
    )
    expect(evaluateText(expression(`'${"x".repeat(5_000)}'`).repeat(300), scope)).toEqual(
      Result.fail("its result is too long")
    )
    expect(evaluateText("${{ ".repeat(50_000), scope)).toEqual(Result.succeed("${{ ".repeat(50_000)))
  })

  it("are evaluated in texts and as conditions", () => {
    expect(evaluateText(`a-${expression("github.run_id")}-${expression("'}}'")}`, scope)).toEqual(
      Result.succeed("a-7-}}")
    )
    expect(evaluateText(` ${expression("github.event.flag")} `, scope)).toEqual(Result.succeed(true))
    expect(evaluateText("${{ github", scope)).toEqual(Result.succeed("${{ github"))
    expect(holds("vars.LEVEL == 'high'", scope)).toEqual(Result.succeed(true))
    expect(holds(expression("github.head_ref"), scope)).toEqual(Result.succeed(false))
  })

  it("fail with the name of an input that is not known yet", () => {
    const later = { contexts: { inputs: { os: "linux" } }, budget: { left: 99 }, later: new Set(["version"]) }
    expect(evaluate("inputs.os", later)).toEqual(Result.succeed("linux"))
    expect(evaluate("inputs.version", later)).toEqual(Result.fail("the input `version` is not known yet"))
    expect(evaluate("toJSON(inputs)", later)).toEqual(Result.fail("an input is not known yet"))
  })
})
