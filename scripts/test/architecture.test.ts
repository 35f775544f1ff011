import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { areas } from "../architecture/areas.ts"
import { breaches, type Rules } from "../architecture/check.ts"
import { linesOf, overLimit } from "../architecture/lines.ts"
import { readModule } from "../architecture/module.ts"
import { table } from "../architecture/table.ts"

const manifest = (folder: string, sections: object = {}) => JSON.stringify({ name: `@slipway/${folder}`, ...sections })

/** A repository with one file. Its packages declare all allowed imports. */
const houseWith = (path: string, ...lines: ReadonlyArray<string>) => {
  const everything = {
    peerDependencies: { effect: "4", pg: "8", "@effect/vitest": "4" },
    optionalDependencies: {
      "@slipway/domain": "1",
      "@slipway/memory": "1",
      "@slipway/sql": "1",
      "@slipway/testkit": "1"
    }
  }
  const folders = ["domain", "testkit", "memory", "sql", "http"]
  return new Map([
    ["package.json", JSON.stringify({ devDependencies: { vitest: "5" } })],
    ...folders.map((folder) => [`packages/${folder}/package.json`, manifest(folder, everything)] as const),
    ["apps/deploy/package.json", manifest("deploy", everything)],
    ["apps/forge/package.json", manifest("forge", everything)],
    [path, lines.join("\n")]
  ])
}
const found = (path: string, ...lines: ReadonlyArray<string>) => breaches(houseWith(path, ...lines))

describe("the dependency table", () => {
  test.for([
    ["packages/domain/src/a.ts", 'import { Effect } from "effect"'],
    ["packages/domain/src/a.ts", 'import * as Schema from "effect/Schema"'],
    ["packages/domain/test/a.test.ts", 'import { readFileSync } from "node:fs"'],
    ["packages/domain/test/a.test.ts", 'import { compile } from "@slipway/domain/access"'],
    ["packages/domain/test/a.test.ts", 'import { test } from "vitest"'],
    ["packages/domain/test/a.test.ts", 'import { a } from "../src/a.ts"'],
    ["packages/domain/test/a.test.ts", 'import { runs } from "../../../scripts/vitest/runs.ts"'],
    ["packages/testkit/src/a.ts", 'import { it } from "@effect/vitest"'],
    ["packages/memory/src/a.ts", 'import type { Port } from "@slipway/domain/deploy"'],
    ["packages/sql/src/a.ts", 'import pg from "pg"\nimport { open } from "node:fs/promises"'],
    ["packages/sql/test/a.test.ts", 'import { layer } from "@slipway/memory"'],
    ["apps/deploy/src/main.ts", 'import { layer } from "@slipway/sql/deploy"']
  ] as const)("allows %s to contain %s", ([path, line]) => {
    expect(found(path, line)).toEqual([])
  })

  test.for([
    ["packages/domain/src/a.ts", 'import { open } from "node:fs"', "packages/domain is pure: make it a port"],
    ["packages/domain/src/a.ts", 'import { open } from "fs"', "packages/domain is pure: make it a port"],
    ["packages/domain/src/a.ts", 'import pg from "pg"', "packages/domain may import only effect from npm"],
    ["packages/domain/src/a.ts", 'export * from "@slipway/sql"', "may import only access of this repository"],
    ["packages/domain/src/a.ts", 'const a = await import("node:fs")', "packages/domain is pure"],
    ["packages/domain/src/a.ts", 'let a: import("node:fs").Stats', "packages/domain is pure"],
    ["packages/sql/src/a.ts", 'import { runs } from "../../../scripts/vitest/runs.ts"', "a file of another package"],
    ["packages/domain/test/a.test.ts", 'import "@slipway/testkit"', "packages/domain's tests may import only access"],
    [
      "packages/testkit/src/a.ts",
      'import { layer } from "@slipway/memory"',
      "may import only access, domain, forge, deploy of this repository"
    ],
    [
      "packages/memory/src/a.ts",
      'import { layer } from "@slipway/sql"',
      "may import only access, domain of this repository"
    ],
    [
      "packages/memory/test/a.test.ts",
      'import "@slipway/sql"',
      "tests may import only access, domain, testkit, forge, deploy of this"
    ],
    [
      "packages/sql/src/a.ts",
      'import { suite } from "@slipway/testkit"',
      "may import only access, domain of this repository"
    ],
    ["packages/sql/src/a.ts", 'import "@slipway/sql/deploy"', "its own package by name"],
    ["packages/sql/src/a.ts", 'import "../../domain/src/a.ts"', "import that package by its name"],
    ["packages/sql/src/a.ts", 'import "../test/server.ts"', "sources import only sources"],
    ["packages/sql/src/a.ts", 'import "./b.js"', "end a relative import in .ts"],
    ["packages/sql/src/a.ts", 'import express from "express"', "add express to its `dependencies`"],
    ["packages/sql/test/a.test.ts", 'import "express"', "add express to its `devDependencies`"],
    [
      "packages/http/src/api/a.ts",
      'import "../server/a.ts"',
      "clients import the endpoint definitions without the server"
    ]
  ] as const)("does not allow %s to contain %s", ([path, line, because]) => {
    expect(found(path, line)).toEqual([expect.stringContaining(because)])
    expect(found(path, "", line)[0]).toMatch(`${path}:2 `)
  })

  test("rejects sources that import each other, even by types only", () => {
    const circle = [
      ["packages/sql/src/a.ts", 'import type { B } from "./b.ts"'],
      ["packages/sql/src/b.ts", 'export * from "./c.ts"'],
      ["packages/sql/src/c.ts", 'import { a } from "./a.ts"']
    ] as const
    const repository = new Map([...houseWith("packages/sql/src/d.ts", 'import "./a.ts"'), ...circle])
    expect(breaches(repository)).toEqual([
      "packages/sql/src/a.ts imports itself by way of packages/sql/src/b.ts, packages/sql/src/c.ts: move what both need to a file of its own"
    ])
    expect(breaches(new Map([...repository, ["packages/sql/src/c.ts", ""]]))).toEqual([])
  })

  test("rejects a package without a row", () => {
    const repository = houseWith("packages/new/src/a.ts", "").set("packages/new/package.json", manifest("new"))
    expect(breaches(repository)).toEqual([expect.stringContaining("packages/new has no row")])
  })
})

describe("areas and folders", () => {
  const importing = (from: string, to: string) => found(from, `import { a } from "${to}"`)

  test("an area imports itself and earlier areas", () => {
    expect(importing("packages/forge/src/code/pushes/a.ts", "../../identity/teams/a.ts")).toEqual([])
    expect(importing("packages/forge/src/code/pushes/a.ts", "../branches/a.ts")).toEqual([])
  })

  test("an area does not import a later area, not even types", () => {
    expect(
      found("packages/forge/src/code/pushes/a.ts", 'import type { A } from "../../collaboration/pulls/a.ts"')
    ).toEqual([expect.stringContaining("declares code below collaboration")])
  })

  test("an area does not import the files that compose the areas", () => {
    expect(importing("packages/sql/src/forge/code/a.ts", "../layer.ts")).toEqual([
      expect.stringContaining("which composes the areas of packages/sql/src/forge")
    ])
  })

  test("a folder next to areas must be listed", () => {
    expect(found("packages/forge/src/misc/a.ts")).toEqual([
      expect.stringContaining("packages/forge/src/misc is no area")
    ])
  })

  test("features of an area do not import each other in a cycle", () => {
    const repository = new Map([
      ...houseWith("packages/forge/src/code/pushes/a.ts", 'import { b } from "../branches/b.ts"'),
      ["packages/forge/src/code/branches/b.ts", ""],
      ["packages/forge/src/code/branches/c.ts", 'import { d } from "../pushes/d.ts"'],
      ["packages/forge/src/code/pushes/d.ts", ""]
    ])
    expect(breaches(repository)).toEqual([
      expect.stringContaining("packages/forge/src/code: pushes → branches → pushes")
    ])
  })

  test("a folder holds at most 25 files", () => {
    const files = (count: number) =>
      new Map([
        ...houseWith("packages/git/src/store/a0.ts", ""),
        ...Array.from({ length: count - 1 }, (_, at) => [`packages/git/src/store/a${at + 1}.ts`, ""] as const)
      ])
    expect(breaches(files(25))).toEqual([])
    expect(breaches(files(26))).toEqual([expect.stringContaining("packages/git/src/store holds 26 files")])
  })
})

describe("forge/ and deploy/ never import each other", () => {
  test.for([
    ["packages/sql/src/forge/a.ts", 'import "../deploy/b.ts"'],
    ["packages/sql/src/deploy/a.ts", 'import "@slipway/domain/forge"'],
    ["packages/sql/src/deploy.ts", 'import "./forge.ts"'],
    ["packages/http/src/server/deploy/a.ts", 'import "@slipway/domain/forge"'],
    ["packages/sql/test/forge/a.test.ts", 'import "@slipway/domain/deploy"'],
    ["apps/forge/src/main.ts", 'import "@slipway/sql/deploy"']
  ] as const)("does not allow %s to contain %s", ([path, line]) => {
    expect(found(path, line)).toEqual([expect.stringContaining("never import each other")])
  })

  test("files outside both folders may import both", () => {
    expect(found("packages/sql/src/a.ts", 'import "./forge/a.ts"', 'import "./deploy/a.ts"')).toEqual([])
    expect(found("packages/sql/src/deploy/forge-apps.ts", 'import "./applications.ts"')).toEqual([])
  })
})

describe("a pure package does not use impure globals", () => {
  test.for([
    ["const now = Date.now()", "Clock or DateTime from effect"],
    ["const now = new Date()", "Clock or DateTime from effect"],
    ["interface A { readonly at: Date }", "Clock or DateTime from effect"],
    ["const n = Math.random()", "Random from effect"],
    ["const home = process.env.HOME", "Config from effect"],
    ["const id = crypto.randomUUID()", "Crypto from effect"],
    ["const f = ({ at = Date.now() }) => at", "Clock or DateTime from effect"]
  ] as const)("%s is rejected", ([line, instead]) => {
    expect(found("packages/domain/src/a.ts", line)).toEqual([expect.stringContaining(instead)])
    expect(found("packages/sql/src/a.ts", line)).toEqual([])
    expect(found("packages/domain/test/a.test.ts", line)).toEqual([])
  })

  test.for([
    "const a = Schema.Date",
    "const a = { Date: 1, process: 2 }",
    "interface A { readonly Date: string }",
    'import { Crypto as crypto } from "effect"\nconst a = crypto.of',
    "const f = (process: string, { fetch }: A) => process + fetch",
    "const a = Math.max(1, 2)",
    "// Date.now()",
    'const a = "Date"'
  ])("%s is accepted", (line) => {
    expect(found("packages/domain/src/a.ts", line)).toEqual([])
  })
})

describe("a package declares exactly the packages that it imports", () => {
  const sql = (sections: object, ...lines: ReadonlyArray<string>) =>
    breaches(houseWith("packages/sql/src/a.ts", ...lines).set("packages/sql/package.json", manifest("sql", sections)))

  test("rejects a dependency that nothing imports", () => {
    expect(sql({ dependencies: { pg: "8" } }, "")).toEqual([
      "packages/sql/package.json declares pg, which nothing imports: remove it"
    ])
    expect(sql({ devDependencies: { pg: "8" } }, "")).toEqual([
      "packages/sql/package.json declares pg, which nothing imports: remove it"
    ])
    expect(sql({ dependencies: { pg: "8" } }, 'import type { Client } from "pg"')).toEqual([])
  })

  test("rejects a dependency that only tests import", () => {
    const repository = houseWith("packages/sql/src/a.ts", "")
      .set("packages/sql/package.json", manifest("sql", { dependencies: { pg: "8" } }))
      .set("packages/sql/test/a.test.ts", 'import "pg"')
    expect(breaches(repository)).toEqual([expect.stringContaining("move it to `devDependencies`")])
  })

  test("rejects sources that import a package of devDependencies", () => {
    expect(sql({ devDependencies: { pg: "8" } }, 'import "pg"')).toEqual([
      expect.stringContaining("add pg to its `dependencies`")
    ])
  })

  test("accepts a peer dependency without an import, also in devDependencies", () => {
    expect(sql({ peerDependencies: { vitest: "5" }, devDependencies: { vitest: "5", "@types/pg": "8" } }, "")).toEqual(
      []
    )
  })
})

describe("the limit of lines per file", () => {
  const lines = (n: number) => "//\n".repeat(n)
  const listing = (path: string, listed: number): Rules => ({ table, overlong: { [path]: listed } })

  test("rejects a file above 400 lines, except tests and generated files", () => {
    expect(found("packages/sql/src/a.ts", lines(400).trimEnd())).toEqual([])
    expect(found("packages/sql/src/a.ts", lines(401))).toEqual([expect.stringContaining("has 401 lines")])
    expect(found("scripts/a.ts", lines(401))).toEqual([expect.stringContaining("make it a folder")])
    expect(found("packages/sql/test/a.test.ts", lines(401))).toEqual([])
    expect(found("packages/sql/src/generated/a.ts", lines(401))).toEqual([])
  })

  test("the list of longer files only shrinks", () => {
    const path = "packages/sql/src/a.ts"
    const against = (n: number, listed: number) => breaches(houseWith(path, lines(n).trimEnd()), listing(path, listed))
    expect(against(500, 500)).toEqual([])
    expect(against(501, 500)).toEqual([expect.stringContaining("grew from 500 to 501")])
    expect(against(499, 500)).toEqual([expect.stringContaining("lower its number")])
    expect(against(400, 500)).toEqual([expect.stringContaining("take it off `overlong`")])
    expect(breaches(houseWith("packages/sql/src/b.ts", ""), listing(path, 500))).toEqual([
      expect.stringContaining("is gone")
    ])
  })
})

describe("docstrings", () => {
  const path = "packages/sql/src/a.ts"

  test.for([
    "export const a = 1",
    "// A comment that is no docstring.\nexport const a = 1",
    "/* A comment that is no docstring. */\nexport const a = 1",
    "/** no full stop */\nexport const a = 1",
    "/** @internal */\nexport const a = 1",
    "/** For another. */\nconst b = 1\nexport const a = 1",
    "const a = 1\nexport { a }",
    "export interface A {}",
    "export class A {}",
    "export type A = 1",
    "export function a() {}",
    "export const { a } = b",
    "/** One. */\nexport const a = 1\n\nexport type A = typeof a",
    "/** One. */\nexport const a = 1\nexport const b = 1"
  ])("%s needs a docstring", (source) => {
    expect(found(path, source)).toEqual([expect.stringContaining("without a docstring")])
  })

  test.for([
    "/** One. */\nexport const a = 1",
    "/**\n * A sentence over\n * two lines.\n *\n * More.\n */\nexport const a = 1",
    "/** One. */\n// biome-ignore lint/x: because\nexport const a = 1",
    "/** One. */\nconst a = 1\nexport { a }",
    "/** One. */\nexport const A = 1\nexport type A = typeof A",
    "/** One. */\nexport const as = [\n  1\n]\nexport type A = (typeof as)[number]\nexport type B = A",
    "/** One. */\nexport function a(): void\nexport function a(b?: number) {}",
    'export * from "./b.ts"',
    'export { b } from "./b.ts"'
  ])("%s needs no further docstring", (source) => {
    expect(found(path, source)).toEqual([])
  })

  test("apps and tests need no docstrings, because no package imports them", () => {
    expect(found("apps/deploy/src/a.ts", "export const a = 1")).toEqual([])
    expect(found("packages/sql/test/a.ts", "export const a = 1")).toEqual([])
  })

  test("are read up to the end of the first sentence", () => {
    const source = "/**\n * Returns a.\n *\n * Twice. @since 1\n */\nexport const a = 1"
    expect(readModule(path, source).exports).toEqual([{ name: "a", line: 6, sentence: "Returns a." }])
  })
})

test("the architecture check reports the path of a file that cannot be parsed", () => {
  expect(() => found("packages/sql/src/a.ts", "export const = 1")).toThrow("packages/sql/src/a.ts does not parse")
})

test("docs/explanation/architecture.md shows the order of areas", () => {
  const page = readFileSync(new URL("../../docs/explanation/architecture.md", import.meta.url), "utf8")
  const rows = Object.entries(areas).map(([folder, order]) => `| \`${folder}\` | ${order.join(" · ")} |`)
  expect(page).toContain(["| folder | areas, lowest first |", "|---|---|", ...rows, ""].join("\n"))
})

describe("the line count of a package", () => {
  const files = new Map([
    ["packages/git/src/a.ts", "one\ntwo\n"],
    ["packages/git/src/sub/b.ts", "three\n"],
    ["packages/git/src/generated/c.ts", "four\n"],
    ["packages/git/test/a.test.ts", "five\n"],
    ["apps/cli/src/main.ts", "six\n"]
  ])

  test("includes sources, but no tests and no generated files", () => {
    expect([...linesOf(files)]).toEqual([
      ["packages/git", 3],
      ["apps/cli", 1]
    ])
  })

  test("must be within the limit of the package", () => {
    expect(overLimit(linesOf(files), { "packages/git": 3, "apps/cli": 1 })).toEqual([])
    expect(overLimit(linesOf(files), { "packages/git": 2 })).toEqual([
      "packages/git has 3 lines, more than 2: remove code, or raise its limit in scripts/architecture/lines.ts",
      "apps/cli has no limit of lines: add it to scripts/architecture/lines.ts"
    ])
  })
})
