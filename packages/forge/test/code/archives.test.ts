import { blobKey } from "@slipway/domain/forge/base"
import { expiredArchives } from "@slipway/forge/code"
import { expect, test } from "vitest"

const gibibyte = 1024 ** 3
const at = (hour: number) => new Date(Date.UTC(2026, 0, 2, hour)).toISOString()
const archive = (name: string, hour: number, size: number) => ({
  key: blobKey("archives", name),
  size,
  writtenAt: at(hour)
})

test("archives are removed after a day, and the oldest ones above four gibibytes", () => {
  const noon = Date.UTC(2026, 0, 3, 12)
  const kept = [archive("new", 35, gibibyte), archive("older", 20, gibibyte), archive("oldest", 13, gibibyte)]
  expect(expiredArchives([...kept, archive("yesterday", 11, 1)], noon)).toEqual(["archives/yesterday"])
  expect(expiredArchives([...kept, archive("large", 30, 2 * gibibyte)], noon)).toEqual(["archives/oldest"])
  expect(expiredArchives([], noon)).toEqual([])
})
