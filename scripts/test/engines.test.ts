import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { satisfies } from "semver"
import { first, lines } from "../engines.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

const packages = globSync("packages/*/package.json", { cwd: root })
  .map(read)
  .filter((manifest) => manifest.private !== true)

describe("the Node versions of packages", () => {
  it("start at the first release of a version range", () => {
    expect(first([">=20", ">=22.19", ">=20", "^4.1.0"])).toEqual(["20.0.0", "22.19.0", "4.1.0"])
  })

  // `npm run engines` runs them. This test finds a package with a lower requirement than its dependencies without running them.
  it.each(packages.map((manifest) => [manifest.name, manifest]))(
    "%s allows only Node versions that its dependencies support",
    (_, manifest) => {
      const named = [...first([manifest.engines.node]), ...lines.map((line) => `${line}.99.0`)]
      const admitted = named.filter((version) => satisfies(version, manifest.engines.node))
      expect(admitted.length).toBeGreaterThan(1)
      const failing = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap((name) => {
        const range: string = read(`node_modules/${name}/package.json`).engines?.node ?? "*"
        return admitted.filter((version) => !satisfies(version, range)).map((version) => `${name} on ${version}`)
      })
      expect(failing).toEqual([])
    }
  )
})
