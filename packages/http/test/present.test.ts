import { describe, expect, it } from "@effect/vitest"
import { Present } from "../src/server/Present.ts"

const named = (name: string) => ({ name, place: 0 })

describe("a set of present members", () => {
  it("adds and removes members in any order", () => {
    const present = new Present<ReturnType<typeof named>>()
    const [one, two, three] = [named("one"), named("two"), named("three")]
    for (const each of [one, two, three]) present.add(each)
    present.delete(one)
    present.delete(one)
    present.delete(named("never there"))
    expect(present.all().map(({ name }) => name)).toEqual(["three", "two"])
    present.delete(two)
    present.add(one)
    expect(present.all().map(({ name }) => name)).toEqual(["three", "one"])
    present.delete(three)
    present.delete(one)
    expect(present.size).toBe(0)
  })
})
