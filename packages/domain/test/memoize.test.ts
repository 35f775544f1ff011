import { expect, it } from "@effect/vitest"
import { memoize, memoizeBy } from "@slipway/domain"

it("a memoized function computes the value of a key once", () => {
  const made: Array<number> = []
  const square = memoize((value: number) => {
    made.push(value)
    return value * value
  })
  expect([3, 4, 3, 4].map(square)).toEqual([9, 16, 9, 16])
  expect(made).toEqual([3, 4])
})

it("a memoized function distinguishes inputs only by their key", () => {
  const greet = memoizeBy(
    (name: string) => name.toLowerCase(),
    (name) => `Hello ${name}`
  )
  expect(["Ann", "ANN", "Bob"].map((name) => greet(name))).toEqual(["Hello Ann", "Hello Ann", "Hello Bob"])
})

it("a memoized function discards all values when their number exceeds the limit", () => {
  const made: Array<string> = []
  const upper = memoize((text: string) => {
    made.push(text)
    return text.toUpperCase()
  }, 2)
  expect(["a", "b", "a", "c", "c", "a", "c"].map(upper)).toEqual(["A", "B", "A", "C", "C", "A", "C"])
  expect(made).toEqual(["a", "b", "c", "a"])
})
