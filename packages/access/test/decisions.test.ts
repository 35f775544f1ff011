import { describe, expect, it } from "@effect/vitest"
import { decideOn } from "../src/Admission.ts"
import { type Condition, conditionsOn, specialise } from "../src/Condition.ts"
import { type Check, policy } from "../src/Decision.ts"
import * as Facts from "../src/Facts.ts"
import { higher, Level, levelFact, levels, levelWord, levelWords, lower, parseLevel } from "../src/Level.ts"
import { bitsOf, compileBits, Loaded, layoutOf } from "../src/Loaded.ts"

describe("levels", () => {
  it("are a closed list, from the lowest to the highest", () => {
    expect(levelWords).toEqual(["none", "read", "write", "admin", "owner"])
    expect(levels).toEqual([0, 1, 2, 3, 4])
    expect(Level).toEqual({ none: 0, read: 1, write: 2, admin: 3, owner: 4 })
    expect(levels.map(levelWord)).toEqual(levelWords)
    expect([...levelWords, "root"].map(parseLevel)).toEqual([0, 1, 2, 3, 4, undefined])
    expect([higher(1, 2), higher(2, 1), lower(1, 2), lower(2, 1)]).toEqual([2, 2, 1, 1])
  })
})

const vocabulary = {
  first: levelFact("the first level"),
  colour: Facts.worded("the door", ["red", "green"]),
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`flag${n}`, Facts.flag("on", "off")])),
  last: levelFact("the last level")
}
type Row = Readonly<Record<string, boolean | string | number>>
const off: Row = {
  first: 0,
  colour: "red",
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`flag${n}`, false])),
  last: 0
}

describe("facts in bits", () => {
  const layout = layoutOf(vocabulary)
  // The names of these facts are generated, so the compiler knows none of them.
  const atLeast = (fact: string, level: number) => ({ op: "atLeast", fact, level }) as unknown as Condition<Row>
  const flag = (fact: string) => ({ op: "flag", fact }) as unknown as Condition<Row>
  const is = (fact: string, word: string) => ({ op: "is", fact, word }) as unknown as Condition<Row>
  const not = (of: Condition<Row>): Condition<Row> => ({ op: "not", of })

  it("use one bit for each flag, value of a list and level above the lowest, in as few 32-bit words as possible", () => {
    expect(layout.order.map(({ place }) => place)).toEqual([0, 4, ...Array.from({ length: 60 }, (_, n) => 6 + n), 66])
    expect(layout.words).toBe(3)
    expect([...bitsOf(layout, off)]).toEqual([0b10000, 0, 0])
    expect([...bitsOf(layout, { ...off, first: 4, colour: "green", flag26: true, last: 3 })]).toEqual([
      0b101111, 1, 0b11100
    ])
    expect(layoutOf({ one: Facts.flag("on", "off") }).words).toBe(1)
  })

  it("have the same values when a condition reads them from any 32-bit word", () => {
    const full: Row = { ...off, first: 2, colour: "green", flag0: true, flag59: true, last: 4 }
    const held = (condition: Condition<Row>) => compileBits(condition, layout)(bitsOf(layout, full))
    expect([1, 2, 3, 4].map((level) => held(atLeast("first", level)))).toEqual([true, true, false, false])
    expect([0, 3, 4].map((level) => held(atLeast("last", level)))).toEqual([true, true, true])
    expect([held(is("colour", "red")), held(is("colour", "green"))]).toEqual([false, true])
    expect(["flag0", "flag1", "flag58", "flag59"].map((fact) => held(flag(fact)))).toEqual([true, false, false, true])
    expect(held(not(flag("flag59")))).toBe(false)
  })

  it("are rejected if a value is not in the list of its fact", () => {
    for (const wrong of [{ first: 5 }, { first: -1 }, { first: 1.5 }, { colour: "pink" }, { flag3: 1 }]) {
      expect(() => bitsOf(layout, { ...off, ...wrong })).toThrow("is not a value of the fact")
    }
    expect(() => compileBits(atLeast("first", 5), layout)).toThrow("`5` is not a value of the fact `first`")
  })

  it("reduce a condition to true or false at a known level", () => {
    const known = (level: number) => specialise(atLeast("first", 2), { first: level })
    expect([known(1), known(2)]).toEqual([
      { op: "any", of: [] },
      { op: "all", of: [] }
    ])
  })
})

describe("a policy", () => {
  const small = { open: Facts.flag("open", "closed"), member: Facts.flag("a member", "a stranger") }
  type Door = { readonly open: boolean; readonly member: boolean }
  const { flag } = conditionsOn<Door>()
  const layout = layoutOf(small)
  const check = (
    id: string,
    stage: string,
    ...grants: ReadonlyArray<readonly [string, "open" | "member"]>
  ): Check<Door> => ({
    id,
    stage,
    grants: grants.map(([id, fact]) => ({ id, when: flag(fact), because: id })),
    forbids: [],
    answer: { status: 403, message: id },
    because: id
  })

  it("names the rule of the strictest check in the last stage with grants as the reason", () => {
    const both: Door = { open: true, member: true }
    const decide = (...checks: ReadonlyArray<Check<Door>>) => policy("enter", checks, layout).decide(both)
    const [door, person] = [["door.open", "open"] as const, ["person.member", "member"] as const]
    expect(decide(check("see", "first", door), check("enter", "last", person))).toEqual({
      allowed: true,
      by: ["person.member"]
    })
    expect(decide(check("wide", "last", door, person), check("narrow", "last", person))).toEqual({
      allowed: true,
      by: ["person.member"]
    })
    expect(decide(check("narrow", "last", person), check("wide", "last", door, person))).toEqual({
      allowed: true,
      by: ["person.member"]
    })
    expect(decide(check("enter", "last", door), check("bare", "last"))).toEqual({ allowed: true, by: ["door.open"] })
    expect(decide(check("enter", "last", door), check("nothing", "later"))).toEqual({
      allowed: true,
      by: ["door.open"]
    })
  })

  it("accepts sixteen rules per check, and rejects two conditions for one rule", () => {
    const many = (count: number) =>
      check("many", "last", ...Array.from({ length: count }, (_, n) => [`rule${n}`, "open"] as const))
    expect(policy("enter", [many(16)], layout).decide({ open: true, member: false })).toMatchObject({
      by: { length: 16 }
    })
    expect(() => policy("enter", [many(17)], layout)).toThrow("too many rules for one check")
    const twice = [
      check("one", "last", ["a", "open"], ["b", "open"]),
      check("two", "last", ["a", "member"], ["c", "open"])
    ]
    expect(() => policy("enter", twice, layout)).toThrow("`enter` has two conditions for the rule `a`")
  })

  it("rejects facts that were loaded for another vocabulary", () => {
    const enter = policy("enter", [check("enter", "last", ["door.open", "open"])], layout)
    const facts: Door = { open: true, member: false }
    expect(enter.allows(new Loaded(layout, facts))).toBe(true)
    expect(() => enter.allows(new Loaded(layoutOf(small), facts))).toThrow(
      "`enter` is decided on facts other than these"
    )
  })

  it("returns no proof for a missing resource", () => {
    const enter = policy("enter", [check("enter", "last", ["door.open", "open"])], layout)
    const deciding = (isOpen: boolean, found: object | undefined) =>
      decideOn(
        enter,
        { facts: () => ({ open: isOpen, member: false }), resource: (_, thing: object | undefined) => thing },
        "ann",
        found
      )
    expect(deciding(true, { name: "door" })).toMatchObject({
      allowed: true,
      action: "enter",
      resource: { name: "door" }
    })
    expect(deciding(false, { name: "door" })).toMatchObject({ allowed: false, check: "enter" })
    expect(deciding(false, undefined)).toMatchObject({ allowed: false, check: "enter" })
    expect(() => deciding(true, undefined)).toThrow("`enter` is allowed on a missing resource")
  })
})
