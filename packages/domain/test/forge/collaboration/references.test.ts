import { describe, expect, it } from "@effect/vitest"
import { type Reference, referenceKey, referencesIn, scan, withoutCode } from "@slipway/domain/forge/collaboration"
import { processorTime } from "../../../../../scripts/vitest/processor.ts"

const shown = (reference: Reference) =>
  `${reference.kind === "issue" && reference.intent !== undefined ? `${reference.intent} ` : ""}${referenceKey(reference)}`
const inText = (text: string) => referencesIn(text).map(shown)

const sha = "0123456789abcdef0123456789abcdef01234567"

describe("references in a text", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["#1", ["#1"]],
    ["See #1, (#22) and **#3**; #1 again.", ["#1", "#22", "#3"]],
    ["!7 and acme/site!8", ["!7", "acme/site!8"]],
    ["Acme/My.Site_2#12", ["acme/my.site_2#12"]],
    ["#0 #01 #x # 1 #99999999999 #4294967296", []],
    ["#2147483647", ["#2147483647"]],
    ["a#1 1#1 /#1 &#39; ##1 =#1 ü#1 \\#1", []],
    ["#1a #1_ #1ü", []],
    ["#1. #2! #3? [#4] “#5”", ["#1", "#2", "#3", "#4", "#5"]],
    ["https://example.com/acme/site#1 and x.org/a/b#2 a/b/c#3", []],
    ["../acme/site#1", []],
    ["@bob @Acme/Dev-Ops @a.b-c", ["@bob", "@acme/dev-ops", "@a.b-c"]],
    ["Thanks @bob. And @bob, @bob-! (@ann)", ["@bob", "@ann"]],
    ["bob@example.com @ @- @@bob @bob/ @a/b/c @bob_ \\@bob", []],
    [`@${"a".repeat(40)} @${"b".repeat(41)}`, [`@${"a".repeat(40)}`]],
    [`${sha} 0123abc acme/site@0123abc`, [`@${sha}`, "@0123abc", "acme/site@0123abc"]],
    ["1234567 deadbee 0123ab facade1x x0123abc", []],
    ["acme/site@1234567", ["acme/site@1234567"]]
  ])("%s", (text, expected) => {
    expect(inText(text)).toEqual(expected)
  })
})

describe("a closing word", () => {
  const words = ["close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"]

  it.each(words)("%s closes the issue that follows", (word) => {
    expect(inText(`${word} #1`)).toEqual(["closes #1"])
    expect(inText(`${word.toUpperCase()}: acme/site#2 now`)).toEqual(["closes acme/site#2"])
    expect(inText(`(${word}  !3)`)).toEqual(["closes !3"])
    expect(inText(`${word}#4 x${word} #5 ${word}, #6 ${word} the #7`)).toEqual(["#5", "#6", "#7"])
  })

  it.each(["reopen", "reopens", "reopened"])("%s reopens the issue that follows", (word) => {
    expect(inText(`${word} #1`)).toEqual(["reopens #1"])
  })

  it.each(["closing #1", "fixing #1", "fixe #1", "resolving #1", "closesd #1", "reopening #1"])(
    "%s closes and reopens no issue",
    (text) => {
      expect(inText(text)).toEqual(["#1"])
    }
  )

  it("replaces earlier closing words for the same issue", () => {
    expect(inText("See #1. Fixes #1. About #1.")).toEqual(["closes #1"])
    expect(inText("Fixes #1, then reopens #1")).toEqual(["reopens #1"])
  })
})

describe("code and comments", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["`#1` #2 ``#3 ` #4`` #5", ["#2", "#5"]],
    ["`#1 and #2", ["#1", "#2"]],
    ["\\`#1` #2", ["#1", "#2"]],
    ["`a\n#1` #2", ["#2"]],
    ["`a\n\n#1` #2", ["#1", "#2"]],
    ["```\n#1\n```\n#2", ["#2"]],
    ["~~~js\n#1\n```\n#2\n~~~~\n#3", ["#3"]],
    ["```\n#1\nnever closed #2", []],
    ["> ```\n> #1\n> ```\n> #2", ["#2"]],
    ["- ```\n  #1\n  ```\n- #2", ["#2"]],
    ["``` not ` a fence #1", ["#1"]],
    ["text\n\n    #1\n    #2\n\n#3", ["#3"]],
    ["text\n    #1", ["#1"]],
    ["<!-- fixes #1 -->#2 <!-- #3", ["#2", "#3"]],
    ["<!--\n#1\n\n#2", []],
    ["`<!--` #1", ["#1"]]
  ])("contain no references: %j", (text, expected) => {
    expect(inText(text)).toEqual(expected)
    expect(withoutCode(text)).toHaveLength(text.length)
  })
})

describe("references in hostile texts", () => {
  const long = 500_000
  it.each<readonly [string, string]>([
    ["mentions", "@bob ".repeat(long / 5)],
    ["different mentions", Array.from({ length: 100_000 }, (_, n) => `@u${n}`).join(" ")],
    ["backticks", "`".repeat(long)],
    ["runs of backticks of every length", Array.from({ length: 900 }, (_, n) => "`".repeat(n + 1)).join(" ")],
    ["pairs of backticks", "` ``".repeat(long / 4)],
    ["a long name", `@${"a-".repeat(long / 2)}`],
    ["names with slashes", "a/".repeat(long / 2)],
    ["dots and slashes", `${"a.".repeat(long / 4)}/${"b.".repeat(long / 4)}#1`],
    ["hexadecimal digits", "0123abcd".repeat(long / 8)],
    ["closing words", "closes ".repeat(long / 7)],
    ["comments", "<!--".repeat(long / 4)],
    ["quotes", "> ".repeat(long / 2)],
    ["numbers", "#1".repeat(long / 2)]
  ])("of %s are found quickly, and their number is limited", (_, text) => {
    const time = processorTime()
    expect(referencesIn(text).length).toBeLessThanOrEqual(250)
    expect(time()).toBeLessThan(8_000)
  })

  it("are found at their positions in the text", () => {
    expect(scan("See #1 & fixes a/b#2")).toEqual([
      {
        reference: { kind: "issue", repository: undefined, pull: false, index: 1, intent: undefined },
        start: 4,
        end: 6
      },
      { reference: { kind: "issue", repository: "a/b", pull: false, index: 2, intent: "closes" }, start: 9, end: 20 }
    ])
  })
})
