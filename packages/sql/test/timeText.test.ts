import { expect, test } from "vitest"
import { timeText } from "../src/collection/timeText.ts"

test("times of rows have the format of `toISOString`", () => {
  const moments = [0, -1, 1_767_225_600_123, 951_782_399_999, -62_135_596_800_000, -86_400_000, 253_402_300_799_999]
  for (const time of moments) expect(timeText(new Date(time))).toBe(new Date(time).toISOString())
  expect(timeText(new Date(1_767_225_600_123))).toBe("2026-01-01T00:00:00.123Z")
  expect(() => timeText(new Date(Number.NaN))).toThrow(RangeError)
})
