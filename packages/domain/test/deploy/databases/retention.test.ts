import { describe, expect, it } from "@effect/vitest"
import { expiredBackups } from "@slipway/domain/deploy/databases"

const now = Date.parse("2026-11-27T00:00:00Z")
const run = (name: string, day: string, size: number | null = 100_000_000) => ({
  name,
  startedAt: `2026-11-${day}T00:00:00.000Z`,
  size
})
const runs = [run("d", "26"), run("c", "24"), run("b", "20"), run("a", "10")]
const names = (limits: { amount?: number; days?: number; gigabytes?: number }, of = runs) =>
  expiredBackups(of, { amount: 100, days: 0, gigabytes: 0, ...limits }, now).map(({ name }) => name)

describe("retention of backups", () => {
  it("keeps the newest ones up to a number", () => {
    expect(names({ amount: 3 })).toEqual(["a"])
    expect(names({ amount: 1 })).toEqual(["c", "b", "a"])
    expect(names({})).toEqual([])
  })

  it("removes those older than a number of days", () => {
    expect(names({ days: 7 })).toEqual(["a"])
    expect(names({ days: 6 })).toEqual(["b", "a"])
  })

  it("removes those beyond a total size", () => {
    expect(names({ gigabytes: 0.3 })).toEqual(["a"])
    expect(names({ gigabytes: 0.299 })).toEqual(["b", "a"])
    expect(names({ gigabytes: 0.25 }, [run("d", "26"), run("c", "25", null), run("b", "24"), run("a", "23")])).toEqual([
      "a"
    ])
  })

  it("never removes the newest one", () => {
    expect(names({ amount: 1, days: 1, gigabytes: 0.01 }, [run("a", "01")])).toEqual([])
  })
})
