import { describe, expect, it } from "@effect/vitest"
import type { Condition } from "../src/Condition.ts"
import { type Check, policy } from "../src/Decision.ts"
import * as Facts from "../src/Facts.ts"
import { layoutOf } from "../src/Loaded.ts"
import {
  type AnyRecord,
  always,
  closest,
  compareRules,
  Diagrams,
  never,
  Prover,
  parseStatements,
  prove,
  StatementError,
  type Theory,
  unusualFacts
} from "../src/proof/index.ts"
import { type Folder, layout, on, records, vocabulary } from "./support/folder.ts"

const { all, any, atLeast, flag, is, not } = on
const usual: AnyRecord = { signedIn: true }

describe("diagrams", () => {
  const diagrams = new Diagrams(vocabulary)

  it("are identical for conditions that give equal results on all records", () => {
    expect(diagrams.of(not(any(flag("admin"), is("seen", "public"))))).toBe(
      diagrams.of(all(not(is("seen", "public")), not(flag("admin"))))
    )
    expect(diagrams.of(any(flag("admin"), not(flag("admin"))))).toBe(always)
    expect(diagrams.of(all(is("seen", "public"), is("seen", "private")))).toBe(never)
    expect(diagrams.of(any(is("seen", "public"), is("seen", "limited"), is("seen", "private")))).toBe(always)
    expect(diagrams.of(atLeast("shared", 0))).toBe(always)
    expect(diagrams.of(all(atLeast("shared", 3), atLeast("shared", 1)))).toBe(diagrams.of(atLeast("shared", 3)))
  })

  it("count the matching records, and test a condition for some or every value of a fact", () => {
    const mayRead = diagrams.of(any(flag("admin"), all(flag("signedIn"), atLeast("shared", 1))))
    expect([diagrams.count(always), diagrams.count(never), diagrams.count(mayRead)]).toEqual([120n, 0n, 84n])
    const ofCaller = (fact: string) => fact === "admin" || fact === "shared"
    expect(diagrams.some(mayRead, ofCaller)).toBe(always)
    expect(diagrams.every(mayRead, ofCaller)).toBe(never)
    expect(diagrams.every(mayRead, (fact) => fact === "seen")).toBe(mayRead)
    expect(diagrams.some(mayRead, (fact) => fact === "admin" || fact === "signedIn")).toBe(always)
    expect(diagrams.every(mayRead, (fact) => fact === "admin")).toBe(
      diagrams.of(all(flag("signedIn"), atLeast("shared", 1)))
    )
  })

  it("test whether a record matches", () => {
    const mayEdit = diagrams.of(all(flag("signedIn"), atLeast("shared", 2)))
    const facts = { signedIn: true, admin: false, shared: 2, seen: "public", archived: false }
    expect([diagrams.has(mayEdit, facts), diagrams.has(mayEdit, { ...facts, shared: 1 })]).toEqual([true, false])
    expect([diagrams.has(always, {}), diagrams.has(never, {})]).toEqual([true, false])
  })

  it("find the matching record with the fewest facts that differ from the usual ones", () => {
    const found = diagrams.of(
      any(all(flag("archived"), flag("admin")), all(atLeast("shared", 2), is("seen", "private")))
    )
    expect(diagrams.smallest(found, usual)).toEqual({
      signedIn: true,
      admin: true,
      shared: 0,
      seen: "public",
      archived: true
    })
    expect(diagrams.smallest(found, { ...usual, seen: "private" })).toEqual({
      signedIn: true,
      admin: false,
      shared: 2,
      seen: "private",
      archived: false
    })
    // Of two levels, the nearer one differs less.
    const ends = diagrams.of(any(not(atLeast("shared", 1)), atLeast("shared", 4)))
    expect([1, 2, 3].map((shared) => diagrams.smallest(ends, { shared })?.shared)).toEqual([0, 0, 4])
    expect(diagrams.smallest(never, usual)).toBe(undefined)
    expect(diagrams.unusual({ signedIn: false, shared: 2, seen: "public" }, usual)).toEqual(["signedIn", "shared"])
  })

  it("reject unknown facts, words and levels", () => {
    expect(() => diagrams.of({ op: "flag", fact: "ajar" })).toThrow("`ajar` is not a fact of this vocabulary")
    expect(() => diagrams.of({ op: "is", fact: "seen", word: "pink" })).toThrow(
      "`pink` is not a value of the fact `seen`"
    )
    expect(() => diagrams.of({ op: "atLeast", fact: "shared", level: 5 })).toThrow(
      "`5` is not a value of the fact `shared`"
    )
    expect(() => diagrams.has(diagrams.of(flag("admin")), { ...records[0], admin: "yes" })).toThrow(
      "`yes` is not a value of the fact `admin`"
    )
  })
})

const check = (id: string, status: number, given: Partial<Check<Folder>>): Check<Folder> => ({
  id,
  stage: id,
  grants: [],
  forbids: [],
  because: id,
  answer: { status, message: id },
  ...given
})
const rule = (id: string, when: Condition<Folder>) => ({ id, when, because: id })
const visible = check("visible", 404, {
  grants: [
    rule("folder.public", is("seen", "public")),
    rule("folder.limited", all(is("seen", "limited"), flag("signedIn"))),
    rule("folder.shared", atLeast("shared", 1)),
    rule("folder.admin", flag("admin"))
  ]
})
const writer = check("writer", 403, {
  grants: [rule("folder.writer", atLeast("shared", 2)), rule("folder.admin", flag("admin"))],
  forbids: [rule("folder.archived", flag("archived"))]
})
const theory = (checks: Readonly<Record<string, ReadonlyArray<Check<Folder>>>>): Theory => ({
  vocabularies: { folder: vocabulary, site: { signedIn: vocabulary.signedIn } },
  actions: {
    ...Object.fromEntries(
      Object.entries(checks).map(([name, each]) => [
        name,
        { on: "folder", policy: policy(name, each, layout) as never }
      ])
    ),
    "site.read": { on: "site", policy: policy("site.read", [], layoutOf({ signedIn: vocabulary.signedIn })) as never }
  },
  classes: {
    anonymous: not(flag("signedIn")),
    administrator: flag("admin"),
    helper: any(flag("admin"), atLeast("shared", 1))
  },
  consistency: [
    { when: any(flag("signedIn"), not(flag("admin"))) },
    { when: any(flag("signedIn"), not(atLeast("shared", 1))), on: "folder" },
    // Does not count: it is about another resource type.
    { when: not(flag("signedIn")), on: "file" }
  ],
  isAboutCaller: (fact) => ["signedIn", "admin", "shared"].includes(fact),
  usual
})
const checksOf = ({ actions }: Theory) =>
  Object.fromEntries(
    Object.entries(actions).flatMap(([name, { on, policy }]) =>
      on === "folder" ? [[name, policy.checks as unknown as ReadonlyArray<Check<Folder>>]] : []
    )
  )
const folders = theory({
  "folder.read": [visible],
  "folder.list": [check("hidden", 404, { forbids: [rule("folder.hidden", is("seen", "private"))] }), visible],
  "folder.edit": [visible, writer],
  "folder.delete": [visible, check("administrator", 403, { grants: [rule("folder.admin", flag("admin"))] })],
  "folder.rename": [writer]
})

describe("a statement", () => {
  const prover = new Prover(folders)
  const proofOf = (text: string) => {
    const [statement] = parseStatements(text, folders)
    if (statement === undefined) throw new Error("no statement")
    const proof = prove(prover, statement)
    return [
      proof.holds,
      proof.cases,
      ...proof.counterexample.map((request) => {
        const facts = unusualFacts(prover, request).map((fact) => `${fact}=${request.facts[fact]}`)
        const answer = request.decision.allowed ? "allowed" : request.decision.answer.status
        return `${request.action} ${facts.join(" ")} ${answer} by ${request.decision.by.join(" ")}`
      })
    ]
  }

  it("about callers is proved for all possible records, or refuted by the smallest counterexample", () => {
    expect(proofOf("prove never anonymous folder.edit, folder.delete")).toEqual([true, 2])
    expect(proofOf("prove never anonymous folder.*")).toEqual([
      false,
      5,
      "folder.read signedIn=false allowed by folder.public"
    ])
    expect(proofOf("prove never anonymous folder.* except folder.read, folder.list")).toEqual([true, 3])
    expect(proofOf("prove never (not administrator and shared>=owner) *.delete")).toEqual([true, 1])
    expect(proofOf("prove never (archived or seen=private) folder.list")).toEqual([
      false,
      1,
      "folder.list archived=true allowed by folder.public"
    ])
    // The class `administrator` does not exist on the site, and one part of `helper` does.
    expect(proofOf("prove never not anonymous site.read")).toEqual([false, 1, "site.read  allowed by "])
    expect(() => proofOf("prove never administrator site.*")).toThrow("line 1: the statement applies to no action")
    expect(proofOf("prove never (administrator or not anonymous) site.read")).toEqual([
      false,
      1,
      "site.read  allowed by "
    ])
    // Each part of a condition with `or` counts.
    expect(proofOf("prove never ((administrator and not administrator) or shared>=none) folder.edit")).toEqual([
      false,
      1,
      "folder.edit admin=true allowed by folder.admin"
    ])
  })

  it("applies only to actions with facts that both classes have", () => {
    for (const statement of ["administrator implies not anonymous", "not anonymous implies administrator"]) {
      expect(() => proofOf(`prove ${statement} on site.read`)).toThrow("line 1: the statement applies to no action")
    }
  })

  it("shows the smallest counterexample of all actions", () => {
    const edited = theory({ "folder.edit": [visible, writer], "folder.read": [visible] })
    const [statement] = parseStatements("prove never not anonymous folder.*", edited)
    const proof = prove(new Prover(edited), statement as never)
    expect([proof.failing, proof.counterexample.map(({ action }) => action)]).toEqual([
      ["folder.edit", "folder.read"],
      ["folder.read"]
    ])
  })

  it("about two classes of callers compares their access to the same resource", () => {
    expect(proofOf("prove anonymous implies administrator on folder.*")).toEqual([true, 5])
    expect(proofOf("prove helper implies administrator on folder.read")).toEqual([true, 1])
    expect(proofOf("prove helper implies not anonymous on folder.read")).toEqual([
      false,
      1,
      "folder.read shared=1 seen=private allowed by folder.shared",
      "folder.read seen=private 404 by visible"
    ])
    expect(proofOf("prove not anonymous implies anonymous on *.list")).toEqual([
      false,
      1,
      "folder.list seen=limited allowed by folder.limited",
      "folder.list signedIn=false seen=limited 404 by visible"
    ])
    expect(proofOf("prove not anonymous and shared>=write implies shared>=read on folder.read")).toEqual([true, 1])
  })

  it("about two actions compares their answers for the same caller", () => {
    expect(proofOf("prove folder.edit, folder.delete implies folder.read")).toEqual([true, 2])
    expect(proofOf("prove folder.* except folder.rename implies folder.read")).toEqual([true, 3])
    expect(proofOf("prove folder.read implies folder.list")).toEqual([
      false,
      1,
      "folder.read shared=1 seen=private allowed by folder.shared",
      "folder.list shared=1 seen=private 404 by folder.hidden"
    ])
    expect(proofOf("prove folder.read implies site.read")).toEqual([true, 1])
    expect(proofOf("prove equal folder.edit folder.rename")).toEqual([true, 1])
    expect(proofOf("prove equal folder.edit folder.delete")).toEqual([
      false,
      1,
      "folder.edit shared=2 allowed by folder.writer",
      "folder.delete shared=2 403 by administrator"
    ])
    // The first action allows less here, so the counterexample starts with the second.
    expect(proofOf("prove equal folder.delete folder.edit")).toEqual([
      false,
      1,
      "folder.delete admin=true archived=true allowed by folder.admin",
      "folder.edit admin=true archived=true 403 by folder.archived"
    ])
  })

  it("about a rule reports whether the rule decides any request", () => {
    expect(proofOf("prove live folder.*")).toEqual([true, 7])
    expect(proofOf("prove dead folder.archived")).toEqual([
      false,
      1,
      "folder.edit archived=true 403 by folder.archived"
    ])
    const dead = theory({
      "folder.read": [
        check("closed", 404, { forbids: [rule("folder.closed", not(is("seen", "public")))] }),
        check("open", 404, {
          grants: [rule("folder.open", flag("signedIn")), rule("folder.limited", is("seen", "limited"))],
          forbids: [rule("folder.impossible", all(flag("admin"), not(flag("signedIn"))))]
        })
      ]
    })
    const proofIn = (rules: Theory, text: string) => prove(new Prover(rules), parseStatements(text, rules)[0] as never)
    // A check before it rejects the same requests.
    const covered = theory({
      "folder.read": [
        check("first", 404, { forbids: [rule("folder.closed", flag("archived"))] }),
        check("second", 403, { forbids: [rule("folder.archived", flag("archived"))] })
      ]
    })
    expect(proofIn(covered, "prove dead folder.archived").holds).toBe(true)
    const single = theory({ "folder.read": [check("only", 404, { grants: [rule("folder.only", flag("admin"))] })] })
    expect(proofIn(single, "prove dead folder.only").holds).toBe(false)
    const results = parseStatements("prove dead folder.limited\nprove dead folder.impossible\nprove live *", dead).map(
      (statement) => prove(new Prover(dead), statement)
    )
    expect(results.map(({ cases, failing, holds }) => [holds, cases, failing])).toEqual([
      [true, 1, []],
      [true, 1, []],
      [false, 4, ["folder.limited", "folder.impossible"]]
    ])
  })

  it("may contain a named class of callers and comments", () => {
    const text = `
      # Readers
      class reader = not anonymous and (shared>=read or administrator)   # of any folder
      class stray = reader and seen=private
      prove never stray folder.list # hidden
    `
    const statements = parseStatements(text, folders)
    expect(statements.map(({ line, text }) => [line, text])).toEqual([[5, "prove never stray folder.list"]])
    expect(statements.map((statement) => prove(prover, statement).holds)).toEqual([true])
  })

  it("matches action names with several wildcards", () => {
    const cases = (glob: string) => proofOf(`prove never (admin and not admin) ${glob}`)[1]
    expect(["*", "f*r*", "*.re*", "folder.*d*e*", "*read", "folder.read", "*.*", "fo*lder.read*"].map(cases)).toEqual([
      5, 5, 2, 1, 1, 1, 5, 1
    ])
    expect(["*folder*", "*f*"].map(cases)).toEqual([5, 5])
    // The parts of a name that two wildcards match do not overlap.
    expect(() => cases("folder.read*read")).toThrow("is not an action")
  })

  it("is rejected with line, column and the most similar name", () => {
    const problemOf = (text: string) => {
      try {
        parseStatements(text, folders)
      } catch (problem) {
        return problem instanceof StatementError ? problem.message : problem
      }
      return undefined
    }
    expect(
      [
        "prove never anonymus folder.read",
        "\nprove never anonymous folder.raed",
        "prove never seen folder.read",
        "prove never seen=pubic folder.read",
        "prove never shared>=wirte folder.read",
        "prove never (anonymous folder.read",
        "prove never anonymous",
        "prove never anonymous folder.read folder.list",
        "prove never anonymous nothing.*",
        "prove anonymous implies administrator folder.*",
        "prove equal folder.read folder",
        "prove dead folder.archive",
        "class anonymous = administrator",
        "prove",
        "check never anonymous *"
      ].map(problemOf)
    ).toEqual([
      "1:13: `anonymus` is not a class of callers or a fact; did you mean `anonymous`?",
      "2:23: `folder.raed` is not an action; did you mean `folder.read`?",
      "1:18: expected `=` and a value of `seen`: public, limited, private",
      "1:18: `pubic` is not a value of `seen` (public, limited, private); did you mean `public`?",
      "1:21: `wirte` is not a level of `shared` (none, read, write, admin, owner); did you mean `write`?",
      "1:24: expected `)`, found `folder.read`",
      "1:22: an action is missing",
      "1:35: `folder.list` is not expected here",
      "1:23: `nothing.*` is not an action",
      "1:39: expected `on`, found `folder.*`",
      "1:25: `folder` is not an action",
      "1:12: `folder.archive` is not a rule; did you mean `folder.archived`?",
      "1:17: `anonymous` already exists",
      "1:6: an action is missing",
      "1:1: expected `prove`, found `check`"
    ])
  })

  it("is rejected if a fact has different definitions for the two compared resource types", () => {
    const other = { ...folders, vocabularies: { ...folders.vocabularies, site: { signedIn: Facts.flag("in", "out") } } }
    const [statement] = parseStatements("prove folder.read implies site.read", other)
    expect(() => prove(new Prover(other), statement as never)).toThrow(
      "the fact `signedIn` means different things for folder and site"
    )
  })
})

describe("the most similar name", () => {
  it("has the fewest added, removed and replaced characters", () => {
    const known = ["read", "readme", "write", "rewrite", "organization.edit"]
    const found = (name: string) => closest(name, known)
    expect(["red", "rread", "reed", "eradme", "rite", "organisation.edt"].map(found)).toEqual([
      "read",
      "read",
      "read",
      "readme",
      "write",
      "organization.edit"
    ])
    // The nearest name wins, whatever the order.
    expect([closest("writes", ["rewrites", "write"]), closest("writes", ["write", "rewrites"])]).toEqual([
      "write",
      "write"
    ])
  })

  it("differs in one character for at most three characters, in two, or in a quarter of a long name", () => {
    expect([closest("abc", ["abd"]), closest("abc", ["add"]), closest("abcd", ["adda"])]).toEqual([
      "abd",
      undefined,
      undefined
    ])
    expect([closest("abc", ["ab", "a"]), closest("abcd", ["abzz"]), closest("abcd", ["azzz"])]).toEqual([
      "ab",
      "abzz",
      undefined
    ])
    const long = "abcdefghijklmnop"
    const replaced = (count: number) => `${"0".repeat(count)}${long.slice(count)}`
    expect([closest(long, [replaced(4)]), closest(long, [replaced(5)])]).toEqual([replaced(4), undefined])
    expect([closest("abcdefghijkl", ["000defghijkl"]), closest("abcdefghijk", ["000defghijk"])]).toEqual([
      "000defghijkl",
      undefined
    ])
    // Characters at both ends count once each.
    expect([closest("abcd", ["abcdef"]), closest("abcd", ["xyabcd"]), closest("abcd", ["abcdefg"])]).toEqual([
      "abcdef",
      "xyabcd",
      undefined
    ])
    expect([closest("abcdef", ["abcd"]), closest("xyabcd", ["abcd"]), closest("abcdefg", ["abcd"])]).toEqual([
      "abcd",
      "abcd",
      undefined
    ])
  })
})

describe("two versions of rules", () => {
  const changesOf = (after: Theory) =>
    compareRules(folders, after).map(({ action, gains, loses }) => [
      action,
      gains && [gains.decision.by, gains.facts],
      loses && [loses.decision.by, loses.facts]
    ])

  it("are compared by a list of the requests with different answers", () => {
    expect(compareRules(folders, theory({ ...checksOf(folders) }))).toEqual([])
    const record = (changes: object) => ({
      ...{ signedIn: true, admin: false, shared: 0, seen: "public", archived: false },
      ...changes
    })
    const after = theory({
      ...checksOf(folders),
      // The order of checks has no effect on the set of allowed requests.
      "folder.edit": [writer, visible],
      "folder.rename": [check("owner", 403, { grants: [rule("folder.owner", atLeast("shared", 4))] })],
      "folder.move": [check("hidden", 404, { forbids: [rule("folder.hidden", is("seen", "private"))] })]
    })
    expect(changesOf(after)).toEqual([
      [
        "folder.rename",
        [["folder.owner"], record({ shared: 4, archived: true })],
        [["folder.admin"], record({ admin: true })]
      ],
      ["folder.move", [[], record({})], undefined]
    ])
    const { "folder.list": _, ...fewer } = checksOf(folders)
    expect(changesOf(theory(fewer))).toEqual([["folder.list", undefined, [["folder.public"], record({})]]])
  })
})
