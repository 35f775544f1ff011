import { assert, describe, it } from "@effect/vitest"
import { nextRun } from "@slipway/domain/deploy/apps"
import { processorTime } from "../../../../../scripts/vitest/processor.ts"

describe("the next run of a schedule", () => {
  it("is undefined for a day that no month has, and is computed quickly (invariant I25)", () => {
    const time = processorTime()
    for (const never of ["0 0 30 2 *", "59 23 31 2,4,6,9,11 *", "0 0 30,31 2 *"]) {
      for (let n = 0; n < 20; n++) assert.isUndefined(nextRun(never, `20${n + 10}-03-02T10:17:30.000Z`), never)
    }
    assert.isBelow(time(), 1_000)
  })

  it("is found for February 29, and for weekdays combined with impossible dates", () => {
    assert.strictEqual(nextRun("0 0 29,30 2 *", "2096-03-01T00:00:00.000Z"), "2104-02-29T00:00:00.000Z")
    assert.strictEqual(nextRun("0 0 31 2,3 *", "2026-03-31T00:00:00.000Z"), "2027-03-31T00:00:00.000Z")
    assert.strictEqual(nextRun("0 0 30 2 1", "2026-03-02T10:17:30.000Z"), "2027-02-01T00:00:00.000Z")
  })
})
