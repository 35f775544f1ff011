import { describe, expect, test } from "vitest"
import { changelogSection, nextVersion, type PendingChange, withSection } from "../release.ts"

const fix: PendingChange = { summary: "Retries a lost connection.\n", releases: [{ type: "patch" }] }
const feature: PendingChange = { summary: "Adds badges.", releases: [{ type: "patch" }, { type: "minor" }] }

describe("release", () => {
  test("takes the largest pending bump for every package", () => {
    expect(nextVersion("0.2.0", [fix])).toBe("0.2.1")
    expect(nextVersion("0.2.0", [fix, feature])).toBe("0.3.0")
    expect(nextVersion("0.2.0", [])).toBe(undefined)
  })

  test("lists each change once, under its largest bump", () => {
    expect(changelogSection("0.3.0", "2027-01-31", [fix, feature])).toBe(
      "## 0.3.0 (2027-01-31)\n\n### Added and changed\n\n- Adds badges.\n\n### Fixed\n\n- Retries a lost connection.\n"
    )
  })

  test("puts the newest release first", () => {
    expect(withSection("# Changelog\n\n## 0.2.0\n\n- one\n", "## 0.3.0\n\n- two\n")).toBe(
      "# Changelog\n\n## 0.3.0\n\n- two\n\n## 0.2.0\n\n- one\n"
    )
  })
})
