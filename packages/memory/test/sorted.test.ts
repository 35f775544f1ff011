import { assert, describe, it } from "@effect/vitest"
import { Sorted } from "@slipway/memory"
import { Schema } from "effect"
import { runs } from "../../../scripts/vitest/runs.ts"

const Key = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const Write = Schema.Union([
  Schema.Struct({ do: Schema.Literal("set"), key: Key, value: Schema.String }),
  Schema.Struct({ do: Schema.Literal("remove"), key: Key })
])
type Write = typeof Write.Type

const apply = (map: Sorted.Sorted<number, string>, write: Write) =>
  write.do === "set" ? Sorted.set(map, write.key, write.value) : Sorted.remove(map, write.key)

const built = (writes: ReadonlyArray<Write>) =>
  writes.reduce<Sorted.Sorted<number, string>>((map, write) => apply(map, write), undefined)

/** The same writes on a native map, with its entries in order. */
const expected = (writes: ReadonlyArray<Write>): ReadonlyArray<readonly [number, string]> => {
  const map = new Map<number, string>()
  for (const write of writes) {
    if (write.do === "set") map.set(write.key, write.value)
    else map.delete(write.key)
  }
  return [...map].toSorted(([one], [other]) => one - other)
}

const depth = (map: Sorted.Sorted<number, string>): number =>
  map === undefined ? 0 : 1 + Math.max(depth(map.left), depth(map.right))

const writes = Schema.Array(Write)
const options = { arbitrary: { runs: runs(60), size: 120 } }

describe("Sorted", () => {
  it.prop(
    "holds the written entries in key order",
    [writes],
    ([each]) => {
      const map = built(each)
      const entries = expected(each)
      assert.strictEqual(Sorted.size(map), entries.length)
      assert.deepStrictEqual(
        Sorted.slice(map),
        entries.map(([, value]) => value)
      )
      for (const [key, value] of entries) assert.strictEqual(Sorted.get(map, key), value)
      for (let key = -1; key <= 41; key++) {
        assert.strictEqual(Sorted.rank(map, key), entries.filter(([other]) => other <= key).length)
        if (!entries.some(([other]) => other === key)) assert.isUndefined(Sorted.get(map, key))
      }
    },
    options
  )

  it.prop(
    "returns any range",
    [writes, Key, Key],
    ([each, skip, limit]) => {
      const values = expected(each).map(([, value]) => value)
      assert.deepStrictEqual(Sorted.slice(built(each), skip, limit), values.slice(skip, skip + limit))
    },
    options
  )

  it.prop(
    "is immutable",
    [writes, writes],
    ([first, second]) => {
      const map = built(first)
      const before = structuredClone(map)
      for (const write of second) apply(map, write)
      assert.deepStrictEqual(map, before)
    },
    options
  )

  it("stays balanced after many insertions and removals", () => {
    let map: Sorted.Sorted<number, string>
    for (let key = 0; key < 10_000; key++) map = Sorted.set(map, key, "")
    assert.isBelow(depth(map), 32)
    for (let key = 0; key < 10_000; key++) if (key % 8 !== 0) map = Sorted.remove(map, key)
    assert.strictEqual(Sorted.size(map), 1_250)
    assert.isBelow(depth(map), 26)
  })
})
