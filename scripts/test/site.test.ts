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
  "docs/a.svg": "<svg/>",
  "docs/guides/g.md": "# G\n\n[b](../b.md)\n"
}

it("the site builder creates a page for each document, links the pages, groups the navigation and reports dead links", () => {
  const root = mkdtempSync(join(tmpdir(), "slipway-site-"))
  try {
    mkdirSync(join(root, "docs/guides"), { recursive: true })
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
    const site = siteOf(root)
    expect([...site.texts.keys()]).toEqual([
      "index.html",
      "docs/b.html",
      "docs/a.html",
      "docs/guides/g.html",
      "CONTRIBUTING.html",
      "search-index.js"
    ])
    expect([...site.files]).toEqual(["docs/a.svg"])
    expect(site.dead).toEqual([
      "CONTRIBUTING.md: docs/c.md does not exist",
      "docs/a.md: docs/b.md has no heading #three"
    ])
    const home = site.texts.get("index.html") ?? ""
    expect(home).toContain(
      '<a href="docs/b.html#two-words">b</a>, <a href="docs/a.html">a</a>, <a href="#house">up</a>'
    )
    expect(home).toContain('<a href="https://example.com/x">out</a>')
    const a = site.texts.get("docs/a.html") ?? ""
    expect(a).toContain("<title>A code · Slipway</title>")
    expect(a).toContain('<li><a href="../docs/a.html" aria-current="page">A code</a></li>')
    expect(a).toContain("<td>&lt;b&gt;</td>")
    expect(a).toContain(
      '<nav aria-label="Guides"><p>Guides</p><ul><li><a href="../docs/guides/g.html">G</a></li></ul></nav>'
    )
    expect(site.texts.get("docs/b.html")).toContain('<h2 id="two-words">Two words</h2>')
  } finally {
    rmSync(root, { recursive: true })
  }
})
