import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { siteOf } from "../site.ts"

const files: Readonly<Record<string, string>> = {
  "README.md": "# House\n\n[b](docs/b.md#two-words), [a](docs/a.md), [up](#house), [out](https://example.com/x)\n",
  "CONTRIBUTING.md": "# Work\n\n[gone](docs/c.md)\n",
  "docs/a.md": "# A `code`\n\n![picture](a.svg) [b](b.md#three)\n\n| x |\n|---|\n| <b> |\n",
  "docs/b.md": "# B\n\nText.\n\n## Two words\n\nMore. [home](../README.md)\n",
  "docs/a.svg": "<svg/>"
}

it("a site has a page of each document, links between them, and says which lead nowhere", () => {
  const root = mkdtempSync(join(tmpdir(), "slipway-site-"))
  try {
    mkdirSync(join(root, "docs"))
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
    const site = siteOf(root)
    expect([...site.texts.keys()]).toEqual([
      "index.html",
      "docs/b.html",
      "docs/a.html",
      "CONTRIBUTING.html",
      "search-index.js"
    ])
    expect([...site.files]).toEqual(["docs/a.svg"])
    expect(site.dead).toEqual(["CONTRIBUTING.md: docs/c.md isn't there", "docs/a.md: docs/b.md has no heading #three"])
    const home = site.texts.get("index.html") ?? ""
    expect(home).toContain(
      '<a href="docs/b.html#two-words">b</a>, <a href="docs/a.html">a</a>, <a href="#house">up</a>'
    )
    expect(home).toContain('<a href="https://example.com/x">out</a>')
    const a = site.texts.get("docs/a.html") ?? ""
    expect(a).toContain("<title>A code · Slipway</title>")
    expect(a).toContain('<li><a href="../docs/a.html" aria-current="page">A code</a></li>')
    expect(a).toContain("<td>&lt;b&gt;</td>")
    expect(site.texts.get("docs/b.html")).toContain('<h2 id="two-words">Two words</h2>')
  } finally {
    rmSync(root, { recursive: true })
  }
})
