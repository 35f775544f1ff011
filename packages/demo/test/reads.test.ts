import { describe, expect, it } from "@effect/vitest"
import { createDemo } from "../src/start.ts"
import { countedForge } from "./support/countedForge.ts"
import { crawl, type Visited } from "./support/crawl.ts"
import { above, target } from "./support/readBudget.ts"
import { visitorOf } from "./support/visitor.ts"

const url = "http://127.0.0.1:3000"

describe("the pages of the demo world on PostgreSQL", () => {
  it("stay within their budgets of SQL statements and git reads", async () => {
    const counted = countedForge()
    try {
      const { forge } = await createDemo(url, counted.options)
      try {
        const visitor = await visitorOf((request) => forge.handler(request), url, "mara")
        const visited = await crawl(visitor, url, ["/", "/brightwater/gauge"], 3)
        const largest = new Map<string, Visited>()
        for (const each of visited) {
          if (each.status !== 200 || each.kind.startsWith("no page")) continue
          if (each.text.length > (largest.get(each.kind)?.text.length ?? 0)) largest.set(each.kind, each)
        }
        expect(largest.size).toBeGreaterThan(60)
        const over: Array<string> = []
        for (const [kind, { address }] of largest) {
          const { gitReads, statements } = await counted.during(() => visitor.go(address))
          const budget = above[kind] ?? target
          if (statements.length > budget.statements || gitReads.length > budget.gitReads)
            over.push(`${kind}: ${statements.length} statements, ${gitReads.length} git reads`)
        }
        expect(over).toEqual([])
      } finally {
        await forge.dispose()
      }
    } finally {
      counted.remove()
    }
  }, 300_000)
})
