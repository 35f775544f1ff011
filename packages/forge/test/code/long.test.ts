import { describe, expect, it } from "@effect/vitest"
import { decodePath, encodePath, expandVariables, fileMatcher, nameMatcher } from "@slipway/domain/forge/code"
import { configIn, readTemplate } from "@slipway/domain/forge/collaboration"
import { processorTime } from "../../../../scripts/vitest/processor.ts"
import { hunksAt, hunksIn, linesBehind } from "../../src/collaboration/pulls/lines.ts"
import { fillTemplate } from "../../src/collaboration/pulls/messages.ts"
import { replaceFileUrls } from "../../src/integrations/mirrors/copyFiles.ts"

/** CPU milliseconds: far above the normal time, far below the time of the quadratic algorithms. */
const soon = 1_500

const took = (work: () => void): number => {
  const time = processorTime()
  work()
  return time()
}

describe("Hostile input that keeps the service busy (I25)", () => {
  it("file names that are not UTF-8 are decoded fast and without loss", () => {
    const bytes = [0x00, 0x2f, 0x7f, 0x80, 0x90, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff]
    for (const one of bytes) {
      for (const two of bytes) {
        for (const three of bytes) {
          const path = Uint8Array.of(one, two, three, 0x80, 0x41)
          expect(encodePath(decodePath(path))).toEqual(path)
        }
      }
    }
    expect(decodePath(Uint8Array.of(0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x8e, 0x89, 0xc3))).toBe("\udced\udca0\udc80🎉\udcc3")
    const name = new Uint8Array(255).fill(0xff)
    expect(took(() => Array.from({ length: 1_000 }, () => decodePath(name)))).toBeLessThan(soon)
  })

  it("the positions of a thousand comments are updated fast after a change of half a million lines", () => {
    const hunks = hunksIn(`@@ -0,0 +1,500000 @@\n${"+\n".repeat(500_000)}`)
    const followed: Array<number | undefined> = []
    const time = took(() => {
      const behind = linesBehind(hunks)
      for (let line = 1; line <= 1_000; line += 1) followed.push(behind(line))
    })
    expect([followed[0], followed[999]]).toEqual([500_001, 501_000])
    expect(time).toBeLessThan(soon)
  })

  it("a template that merges one mapping many times is rejected fast", () => {
    const keys = Array.from({ length: 2_000 }, (_, at) => `k${at}: 1`).join(",")
    const text = `name: a\nabout: b\na: &a {${keys}}\nb:\n  <<: [${"*a,".repeat(10_000)}]\n`
    expect(took(() => expect(configIn(text)).toBeUndefined())).toBeLessThan(soon)
    const merging = "a: &a {name: A, about: B}\n<<: *a\n"
    expect(readTemplate("a.md", `---\n${merging}---\n\n${"**so** ".repeat(200)}`)?.name).toBe("A")
  })

  it("braces of a pattern expand to a bounded number of names", () => {
    const many = Array.from({ length: 100 }, () => "{a,b}".repeat(13)).join(";")
    expect(took(() => expect(fileMatcher(many)("x")).toBe(false))).toBeLessThan(soon)
    expect(nameMatcher("{a,b}".repeat(7))("abababa")).toBe(true)
    expect(nameMatcher("{a,b}".repeat(8))("abababab")).toBe(false)
    expect(nameMatcher(`{${Array.from({ length: 60 }, (_, at) => at).join(",")}}`)("59")).toBe(true)
    expect(nameMatcher("{a,{b,c}}{\\{,d}")("b{")).toBe(true)
    // A brace within brackets is literal, and closes no group.
    expect(nameMatcher("{[}],a,b}{[}],a,b}")("ab")).toBe(true)
    expect(nameMatcher("{[}],a,b}".repeat(5))("ababa")).toBe(false)
    const bracketed = Array.from({ length: 100 }, () => "{[}],a,b}".repeat(8)).join(";")
    expect(took(() => expect(fileMatcher(bracketed)("x")).toBe(false))).toBeLessThan(soon)
  })

  it("paths beyond the matching limit count as protected, and never as unprotected", () => {
    const patterns = Array.from({ length: 100 }, (_, at) => `**/${"*a/".repeat(80)}${at}`).join(";")
    const paths = Array.from({ length: 500 }, (_, at) => `${"a/".repeat(1_000)}${at}x`)
    const time = took(() => {
      expect(paths.some(fileMatcher(patterns))).toBe(false)
      expect(paths.some(fileMatcher(patterns, true))).toBe(true)
    })
    expect(time).toBeLessThan(6 * soon)
    expect(["a/b.ts", "c/d.lock"].map(fileMatcher("*.lock; /a/**", true))).toEqual([true, true])
  })

  it("attachment links are replaced once, and the results are not searched again", () => {
    const files = Array.from({ length: 200 }, (_, at) => ({
      file: { name: "a", browser_download_url: `https://git.example/a?${at}` },
      uuid: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`
    }))
    const reader = {
      placeOf: ({ browser_download_url: url }: { readonly browser_download_url?: string | null | undefined }) => ({
        url: url ?? "",
        names: [url ?? "", "/", "/a"]
      })
    }
    const at = (n: number) => `/attachments/${files[n]?.uuid}`
    expect(replaceFileUrls(reader, "![x](https://git.example/a?7) /a /", files)).toBe(`![x](${at(7)}) ${at(0)} /`)
    expect(replaceFileUrls(reader, "/a".repeat(130_000), files).length).toBeLessThanOrEqual(262_144)
  })

  it("a thousand review comments are located in a diff of half a million lines fast", () => {
    const hunks = hunksIn(`@@ -0,0 +1,500000 @@\n${"+\n".repeat(500_000)}`)
    const time = took(() => {
      const asked = Array.from({ length: 1_000 }, (_, at) => ({ side: "new" as const, line: 499_001 + at }))
      expect(hunksAt(hunks, asked)).toEqual(asked.map(() => "@@ -0,0 +1,500000 @@\n+\n+\n+\n+"))
    })
    expect(time).toBeLessThan(soon)
  })

  it("a template file that repeats a long variable stays unchanged", () => {
    const text = "$A".repeat(500_000)
    expect(expandVariables(text, { A: "x".repeat(2_048) })).toBe(text)
    expect(expandVariables("$A $" + "{A}$B", { A: "b" })).toBe("b b$B")
  })

  it("a merge message template that repeats a long text stays short", () => {
    const values = { PullRequestDescription: "x".repeat(262_144) }
    const hole = (name: string) => `$\{${name}}`
    const [title, body] = fillTemplate(`a\n${hole("PullRequestDescription").repeat(2_600)}`, values)
    expect(title).toBe("a")
    expect(body.length).toBeLessThan(1_000_000)
    expect(fillTemplate(hole("constructor"), values)).toEqual([hole("constructor"), ""])
  })
})
