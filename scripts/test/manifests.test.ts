import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))
const whole = read("package.json")

const manifests = [...globSync("packages/*/package.json", { cwd: root }), "apps/cli/package.json"].sort()

it.each(manifests.filter((path) => path.startsWith("apps/") || read(path).private !== true))(
  "%s names the repository, the homepage and keywords",
  (path) => {
    const { description, homepage, keywords, license, repository } = read(path)
    expect({ homepage, license, repository }).toEqual({
      homepage: whole.homepage,
      license: "MIT",
      repository: { ...whole.repository, directory: dirname(path) }
    })
    expect(description.length).toBeGreaterThan(10)
    expect(keywords.length).toBeGreaterThanOrEqual(3)
  }
)
