import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { resultName, tablesIn } from "../bench.ts"
import { performancePage } from "../reference/performance.ts"
import { referencePages } from "../reference.ts"

describe("the generated reference", () => {
  test("matches the code; `npm run reference` writes it", async () => {
    const pages = await referencePages()
    expect(Object.keys(pages)).toHaveLength(8)
    for (const [name, text] of Object.entries(pages)) {
      const path = join(import.meta.dirname, "../../docs/reference", name)
      expect(
        readFileSync(path, "utf8") === text,
        `docs/reference/${name} is out of date: run \`npm run reference\``
      ).toBe(true)
    }
  })

  test("shows the stored tables of a benchmark and whether it missed a limit", () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-benchmarks-"))
    try {
      const result = {
        command: "npm run bench -- access",
        date: "2027-01-31",
        environment: "Node 26",
        exitCode: 1,
        tables: [["| a |", "|---|", "| 1 |"]]
      }
      writeFileSync(join(folder, "access.json"), JSON.stringify(result))
      const page = performancePage(folder)
      expect(page).toContain(
        "`npm run bench -- access`, 2027-01-31, Node 26. Exit code 1: a limit was missed.\n\n| a |\n|---|\n| 1 |\n"
      )
      expect(page).not.toContain("## deploy")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("the results of a benchmark", () => {
  test("consist of the tables in its output", () => {
    expect(tablesIn("Warm up\n| a | b |\n|---|---|\n| 1 | 2 |\ndone\n\n| c |\n|---|\n| 3 |\n")).toEqual([
      ["| a | b |", "|---|---|", "| 1 | 2 |"],
      ["| c |", "|---|", "| 3 |"]
    ])
  })

  test("are named after the part that was run", () => {
    expect(resultName("http", ["half"])).toBe("http-half")
    expect(resultName("git", ["--reading"])).toBe("git-reading")
    expect(resultName("issues", ["100000"])).toBe("issues")
  })
})
