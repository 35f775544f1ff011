import { describe, expect, test } from "vitest"
import { changelogSection, nextVersion, obstacle, type PendingChange, publishOrder, withSection } from "../release.ts"

const fix: PendingChange = { summary: "Retries a lost connection.\n", releases: [{ type: "patch" }] }
const feature: PendingChange = { summary: "Adds badges.", releases: [{ type: "patch" }, { type: "minor" }] }

describe("the release script", () => {
  test("gives every package the largest pending version bump", () => {
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

  test("publishes each package after its dependencies", () => {
    const packed = (name: string, ...needed: ReadonlyArray<string>) => ({
      file: `${name}.tgz`,
      name: `@slipway/${name}`,
      version: "0.3.0",
      dependencies: Object.fromEntries(
        ["effect", ...needed.map((each) => `@slipway/${each}`)].map((each) => [each, "1"])
      )
    })
    const packages = [packed("testkit", "forge", "access"), packed("forge", "access"), packed("access")]
    expect(publishOrder(packages).map(({ name }) => name)).toEqual([
      "@slipway/access",
      "@slipway/forge",
      "@slipway/testkit"
    ])
  })

  test("rejects incomplete packages", () => {
    const own = "https://git.example/api/packages/acme/npm/"
    const one = {
      file: "a.tgz",
      name: "@slipway/access",
      version: "0.3.0",
      repository: { url: "git+https://a.example/b" }
    }
    expect(obstacle([one], own)).toBe(undefined)
    expect(obstacle([one], "git.example")).toContain("git.example is not the address of a registry")
    expect(obstacle([], own)).toBe("there is no packed package")
    expect(obstacle([one, { ...one, version: "0.2.0" }], own)).toBe(
      "the packages have different versions: 0.3.0, 0.2.0"
    )
    expect(obstacle([{ ...one, dependencies: { "@slipway/domain": "0.3.0" } }], own)).toBe(
      "@slipway/access depends on @slipway/domain, which is not among the packages"
    )
  })
})
