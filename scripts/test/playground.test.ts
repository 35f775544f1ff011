import { describe, expect, it } from "vitest"
import { importCedar, importOpenFga } from "../site/playground/imports.ts"
import { decodeShared, encodeShared, parseRules, parseWorld } from "../site/playground/rules.ts"

const text = `# documents
fact owner: the caller owns the document
fact shared: the document is shared with the caller
fact archived: the document is archived

action read
  allow owner: owner
  allow shared: shared
action edit
  requires read
  allow owner: owner or (shared and not archived)
  deny archived: archived
`

/** Returns the allowed actions of a caller with facts. */
const allowed = (rules: string, ...names: ReadonlyArray<string>) => {
  const parsed = parseRules(rules)
  expect(parsed.problems).toEqual([])
  const facts = Object.fromEntries(parsed.facts.map((fact) => [fact, names.includes(fact)]))
  return parsed.actions.filter((action) => parsed.rules?.check(action, facts).allowed)
}

describe("the playground", () => {
  it("decides by the rules of its text", () => {
    expect(allowed(text)).toEqual([])
    expect(allowed(text, "owner")).toEqual(["read", "edit"])
    expect(allowed(text, "shared")).toEqual(["read", "edit"])
    expect(allowed(text, "owner", "archived")).toEqual(["read"])
  })

  it("reports wrong lines of rules and worlds", () => {
    const wrong = "fact a: x\nallow a: a\naction read\n  allow r: a and\n  allow s: b\n  requires fly\n  fly\n"
    expect(parseRules(wrong)).toMatchObject({
      rules: undefined,
      problems: [
        { line: 2, text: "expected `fact` or `action`" },
        { line: 3, text: "the action `fly` is not declared" },
        { line: 4, text: "the condition ends too early" },
        { line: 5, text: "the fact `b` is not declared" },
        { line: 7, text: "expected `requires`, `allow` or `deny`" }
      ]
    })
    expect(parseRules("action a\n  requires b\naction b\n  requires a\n").problems).toHaveLength(1)
    expect(parseWorld("ann: a b\nbob", ["a"])).toEqual({
      situations: [{ name: "ann", facts: { a: true } }],
      problems: [
        { line: 1, text: "the fact `b` is not declared" },
        { line: 2, text: "expected `<name>: <fact> <fact>`" }
      ]
    })
  })

  it("keeps every text in a link, and ignores other fragments", () => {
    const shared = { rules: `${text}# ünï <>"'&?#+/=`, world: "ann: owner 🙂" }
    expect(decodeShared(encodeShared(shared))).toEqual(shared)
    const long = { rules: `# ${"ü".repeat(300_000)}`, world: "" }
    expect(decodeShared(encodeShared(long))).toEqual(long)
    expect(encodeShared(shared)).toMatch(/^[\w-]+$/)
    for (const other of ["", "content", "%%%", "W10", "bnVsbA"]) expect(decodeShared(other)).toBeUndefined()
  })

  it("imports an OpenFGA model, and lists what has no translation", () => {
    const { missing, rules } = importOpenFga(`model
  schema 1.1
type user
type document
  relations
    define parent: [folder]
    define owner: [user]
    define viewer: [user, user:*, group#member] or owner or viewer from parent
    define blocked: [user]
    define reader: viewer but not blocked
    define guest: [user with not_expired]
condition not_expired(now: timestamp) {
  now < grant
}`)
    expect(missing).toEqual([
      { line: 12, text: "`condition not_expired(now: timestamp) {` has no translation" },
      { line: 13, text: "`now < grant` has no translation" },
      { line: 14, text: "`}` has no translation" },
      { line: 11, text: "`user with not_expired`: write the condition as a fact that your program computes" }
    ])
    expect(rules).toContain("fact document.parent-viewer: the caller is viewer of the parent of the document")
    expect(allowed(rules, "document.owner")).toEqual(["document.owner", "document.viewer", "document.reader"])
    expect(allowed(rules, "document.parent-viewer", "document.blocked")).toEqual([
      "document.viewer",
      "document.blocked"
    ])
    expect(allowed(rules, "document.viewer-by-group")).toEqual(["document.viewer", "document.reader"])
    expect(allowed(rules, "document.viewer-public")).toEqual(["document.viewer", "document.reader"])
  })

  it("imports Cedar policies, and lists what has no translation", () => {
    const { missing, rules } = importCedar(`// articles
permit (principal, action == Action::"read", resource is Article);
permit (principal in Group::"administrators", action in [Action::"read", Action::"edit"], resource);
permit (principal, action == Action::"edit", resource) when { resource.author == principal && !(resource.locked || resource.old) };
forbid (principal, action, resource) unless { context.mfa };
permit (principal == ?principal, action == Action::"read", resource);
`)
    expect(missing).toEqual([{ line: 6, text: "a template has no translation: write a policy for each link" }])
    const mfa = "context-mfa"
    expect(allowed(rules, mfa)).toEqual([])
    expect(allowed(rules, mfa, "resource-is-Article")).toEqual(["read"])
    expect(allowed(rules, mfa, "principal-in-Group-administrators")).toEqual(["read", "edit"])
    expect(allowed(rules, "principal-in-Group-administrators")).toEqual([])
    expect(allowed(rules, mfa, "resource-author-is-principal")).toEqual(["edit"])
    expect(allowed(rules, mfa, "resource-author-is-principal", "resource-old")).toEqual([])
    // Cedar denies an action that no policy permits.
    expect(
      allowed(importCedar('forbid (principal, action == Action::"fly", resource) when { resource.heavy };').rules)
    ).toEqual([])
  })

  it("gives opposite and equally named comparisons of Cedar different facts", () => {
    const { missing, rules } = importCedar(`permit (principal, action == Action::"read", resource) when {
  resource.level < 3 || resource.level > 3 || resource.level <= 3 || resource.level >= 3
};
permit (principal, action in [Action::"edit", Action::"edit"], resource) when { resource.a_b && resource.a.b && 3 == 3 };
permit (principal in Group::"staff", action in Action::"writers", resource);
`)
    expect(missing).toEqual([{ line: 5, text: "a group of actions has no translation: list its actions in `[…]`" }])
    expect(parseRules(rules)).toMatchObject({
      problems: [],
      actions: ["read", "edit"],
      facts: [
        "resource-level-below-3",
        "resource-level-above-3",
        "resource-level-at-most-3",
        "resource-level-at-least-3",
        "resource-a-b",
        "resource-a-b-2",
        "x-3-is-3"
      ]
    })
    expect(allowed(rules, "resource-a-b", "x-3-is-3")).toEqual([])
    expect(allowed(rules, "resource-a-b", "resource-a-b-2", "x-3-is-3")).toEqual(["edit"])
  })

  it("gives groups of OpenFGA with different relations different facts, and prefixes names", () => {
    const { rules } = importOpenFga("type 2fa\n  relations\n    define viewer: [group#member, group#owner]\n")
    expect(parseRules(rules)).toMatchObject({
      problems: [],
      actions: ["x-2fa.viewer"],
      facts: ["x-2fa.viewer-by-group", "x-2fa.viewer-by-group-2"]
    })
  })

  it("reports a rule that an action declares twice", () => {
    const twice = "fact a: x\naction read\n  allow r: a\n  deny r: a\n  allow r: not a\n"
    expect(parseRules(twice).problems).toEqual([{ line: 5, text: "the rule `r` is declared twice" }])
  })
})
