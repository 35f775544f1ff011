import { describe, expect, it } from "@effect/vitest"
import { type Condition, compile, conditionsOn, factsIn, specialise } from "../src/Condition.ts"
import { countDistinct, distinctions, enumerate } from "../src/Enumerate.ts"
import type { FactsOf } from "../src/Facts.ts"
import * as Facts from "../src/Facts.ts"
import { levelFact } from "../src/Level.ts"
import { bitsOf, compileBits, compileChain, layoutOf } from "../src/Loaded.ts"
import { statements, toProse, toTree } from "../src/Prose.ts"
import { toSql } from "../src/Sql.ts"

const vocabulary = {
  open: Facts.flag("the door is open", "the door is closed"),
  locked: Facts.flag("the door is locked", "the door is not locked"),
  colour: Facts.worded("the door", ["red", "green", "light-blue"]),
  level: levelFact("the key's level")
} as const
type Door = FactsOf<typeof vocabulary>
const { all, any, atLeast, flag, is, not } = conditionsOn<Door>()
const door: Door = { open: true, locked: false, colour: "green", level: 2 }
const enters = all(any(flag("open"), atLeast("level", 3)), not(all(flag("locked"), is("colour", "red"))))

/** Conditions of every shape with two levels of operators on four leaves. */
const shapes: ReadonlyArray<Condition<Door>> = (() => {
  const leaves = [flag("open"), flag("locked"), is("colour", "green"), atLeast("level", 2), all(), any()]
  const join = (of: ReadonlyArray<Condition<Door>>) =>
    of.flatMap((a) => [not(a), ...of.flatMap((b) => [all(a, b), any(a, not(b)), not(any(a, b))])])
  return [...leaves, ...join(leaves), ...join(join(leaves).slice(0, 24))]
})()

describe("conditions", () => {
  it("give the same result in all four evaluations: of records, of bits, as a list of reasons and as a tree", () => {
    const layout = layoutOf(vocabulary)
    for (const condition of shapes) {
      const onRecord = compile(condition)
      const onBits = compileBits(condition, layout)
      const chain = compileChain([all(), condition, not(flag("open"))], layout)
      for (const facts of enumerate(all(condition, flag("open")), vocabulary, door)) {
        const expected = onRecord(facts)
        const bits = bitsOf(layout, facts)
        expect(onBits(bits)).toBe(expected)
        expect(chain(bits)).toBe(expected ? (facts.open ? 2 : -1) : 1)
        expect(toTree(condition, facts, vocabulary).holds).toBe(expected)
      }
    }
    expect(shapes.length).toBeGreaterThan(1000)
  })

  it("give the same result after partial evaluation with known facts", () => {
    for (const condition of shapes) {
      for (const facts of enumerate(all(condition, flag("open")), vocabulary, door)) {
        const left = specialise(condition, { open: facts.open, colour: facts.colour })
        expect(factsIn(left).filter((fact) => fact === "open" || fact === "colour")).toEqual([])
        expect(compile(left)(facts)).toBe(compile(condition)(facts))
      }
    }
    expect(specialise(enters, { open: true, locked: false })).toEqual(all())
    expect(specialise(enters, { open: false, level: 0 })).toEqual(any())
    expect(specialise(enters, { locked: false, level: 0 })).toEqual(flag("open"))
  })

  it("convert to SQL", () => {
    expect(toSql(enters, "d")).toBe(
      `(("d"."open" or "d"."level" >= 3) and not (("d"."locked" and "d"."colour" = 'red')))`
    )
    expect([toSql(all()), toSql(any()), toSql(is("colour", "light-blue"))]).toEqual([
      "true",
      "false",
      `"colour" = 'light-blue'`
    ])
  })

  it("reject invalid names and words for SQL, even after a name was cached", () => {
    const refused = "cannot be part of an SQL condition"
    const injected = `x" or true --`
    for (const _ of [1, 2]) {
      // BOUNDARY: names that are in no vocabulary.
      expect(() => toSql({ op: "flag", fact: injected } as never)).toThrow(refused)
      expect(() => toSql({ op: "flag", fact: "Known" } as never, injected)).toThrow(refused)
      expect(toSql({ op: "flag", fact: "Known" } as never)).toBe('"Known"')
      // A valid name is not a valid word, even if it is cached as a name.
      expect(() => toSql({ op: "is", fact: "Known", word: "Known" } as never)).toThrow(refused)
    }
  })

  it("convert to prose without double negations", () => {
    expect(toProse(enters, vocabulary)).toBe(
      "(the door is open or the key's level is at least admin) and (the door is not locked or the door is not red)"
    )
    expect(toProse(not(not(flag("open"))), vocabulary)).toBe("the door is open")
    expect(toProse(not(atLeast("level", 1)), vocabulary)).toBe("the key's level is below read")
    expect(toProse({ op: "all", of: [flag("open")] }, vocabulary)).toBe("the door is open")
    expect(toProse(any(all(), flag("open")), vocabulary)).toBe("always or the door is open")
    expect(toProse(not(all(all(), any())), vocabulary)).toBe("never or always")
    expect(() => toProse(flag("ajar" as "open"), vocabulary)).toThrow("`ajar` is not a flag of this vocabulary")
  })

  it("convert to a tree of true statements", () => {
    expect(statements(toTree(enters, door, vocabulary))).toEqual([
      "the door is open",
      "the door is not locked",
      "the door is not red"
    ])
    expect(statements(toTree(enters, { ...door, open: false }, vocabulary))).toEqual([
      "the door is closed",
      "the key's level is below admin"
    ])
  })

  it("convert to a tree in which each node states how its children are combined", () => {
    const both = all(flag("open"), flag("locked"))
    const either = any(flag("open"), flag("locked"))
    const isOpen = { says: "the door is open", holds: true, of: [] }
    const isLocked = { says: "the door is locked", holds: true, of: [] }
    const isClosed = { says: "the door is closed", holds: false, of: [] }
    const isUnlocked = { says: "the door is not locked", holds: false, of: [] }
    const tree = (condition: Condition<Door>, facts: Partial<Door>) =>
      toTree(condition, { ...door, ...facts }, vocabulary)
    expect(tree(both, { locked: true })).toEqual({ says: "all of these", holds: true, of: [isOpen, isLocked] })
    expect(tree(both, {})).toEqual({ says: "not all of these", holds: false, of: [isUnlocked] })
    expect(tree(either, {})).toEqual({ says: "one of these", holds: true, of: [isOpen] })
    expect(tree(either, { open: false })).toEqual({ says: "none of these", holds: false, of: [isClosed, isUnlocked] })
    expect(tree(not(both), {})).toEqual({ says: "not all of these", holds: true, of: [isUnlocked] })
  })

  it("compile to bits without a bit for the lowest level, in as few 32-bit words as possible", () => {
    const layout = layoutOf(vocabulary)
    const anyKey = compileBits(atLeast("level", 0), layout)
    for (const facts of enumerate(enters, vocabulary, door)) expect(anyKey(bitsOf(layout, facts))).toBe(true)
    const flags = (count: number) =>
      layoutOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, Facts.flag("yes", "no")])))
    expect([1, 31, 32, 33, 64, 65].map((count) => flags(count).words)).toEqual([1, 1, 1, 2, 2, 3])
  })

  it("are enumerated only over the fact values that they test", () => {
    expect(distinctions(enters, vocabulary)).toEqual([
      ["open", [false, true]],
      ["level", [0, 3]],
      ["locked", [false, true]],
      ["colour", ["red", "green", "light-blue"]]
    ])
    expect(countDistinct(enters, vocabulary)).toBe(24)
    // Levels are in ascending order, whatever the order of the tests.
    const levels = distinctions(any(atLeast("level", 3), atLeast("level", 1), atLeast("level", 2)), vocabulary)
    expect(levels).toEqual([["level", [0, 1, 2, 3]]])
    expect(new Set([...enumerate(enters, vocabulary, door)].map((facts) => JSON.stringify(facts))).size).toBe(24)
  })

  it("reject unknown facts, words and levels", () => {
    const layout = layoutOf(vocabulary)
    expect(() => compileBits(flag("ajar" as "open"), layout)).toThrow("`ajar` is not a fact")
    expect(() => compileBits(is("colour", "pink" as "red"), layout)).toThrow(
      "`pink` is not a value of the fact `colour`"
    )
    expect(() => compileBits(atLeast("level", 9 as 4), layout)).toThrow("`9` is not a value of the fact `level`")
  })
})
