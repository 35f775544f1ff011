import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { createForge, type Forge } from "@slipway/embed"
import { password, signIn } from "../src/clients.ts"
import { runnerOf } from "../src/steps/runner.ts"
import { crawl } from "./support/crawl.ts"
import { harmIn } from "./support/harm.ts"
import { hostileBranches, hostileLog, hostileMarkdown, hostilePaths, hostileTexts } from "./support/hostile.ts"
import { visitorOf } from "./support/visitor.ts"

const url = "https://forge.example"
const administrator = { name: "root", email: "root@example.com", password }
const params = { username: "acme", reponame: "site" }

/** The API takes base64, which the methods' types do not state. */
const base64 = (text: string) => Buffer.from(text).toString("base64") as never

// biome-ignore lint/suspicious/noControlCharactersInRegex: pages contain none of them
const controlCharacter = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

describe("hostile content", () => {
  let forge: Forge
  let refused: ReadonlyArray<string> = []

  beforeAll(async () => {
    forge = await createForge({ administrator, git: "temporary", url })
    const root = forge.actAs("root")
    const problems: Array<string> = []
    /** Does what the forge may refuse as invalid input. */
    const attempt = async (name: string, act: () => Promise<unknown>) => {
      try {
        await act()
      } catch (error) {
        const { status } = error as { readonly status?: number }
        if (status !== 422 && status !== 400) throw error
        problems.push(name)
      }
    }
    const [first = "", second = ""] = hostileTexts
    await root.organization.create({
      body: { username: "acme", full_name: first, description: hostileTexts.slice(0, 5).join(" "), location: second }
    })
    await root.organization.repository.create({
      params: { org: "acme" },
      body: { name: "site", auto_init: true, default_branch: "main", description: hostileTexts.slice(0, 4).join(" ") }
    })
    const readme = await root.repository.contents.read({ params: { ...params, "*": "README.md" } })
    await root.repository.contents.edit({
      params: { ...params, "*": "README.md" },
      body: { content: base64(hostileMarkdown), sha: "sha" in readme ? readme.sha : "", message: first }
    })
    await root.repository.contents.create({
      params: { ...params, "*": ".gitea/workflows/ci.yml" },
      body: {
        message: second,
        content: base64(
          `name: ${JSON.stringify(first)}\non: push\njobs:\n  build:\n    name: ${JSON.stringify(second)}\n    runs-on: linux\n    steps: [{ name: ${JSON.stringify(first)}, run: make }]\n`
        )
      }
    })
    for (const path of hostilePaths)
      await attempt(path, () =>
        root.repository.contents.create({
          params: { ...params, "*": path },
          body: {
            content: base64(path.endsWith(".md") ? hostileMarkdown : hostileTexts.join("\n")),
            message: `${first}\n\n${hostileTexts.join("\n")}`
          }
        })
      )
    for (const branch of hostileBranches)
      await attempt(branch, () => root.repository.branch.create({ params, body: { new_branch_name: branch } }))
    for (const text of hostileTexts) {
      const short = text.slice(0, 50)
      await attempt(`label ${text}`, () =>
        root.label.create({ params, body: { name: short, color: "#00aabb", description: text.slice(0, 200) } })
      )
      await attempt(`milestone ${text}`, () =>
        root.milestone.create({ params, body: { title: short, description: hostileMarkdown } })
      )
      await root.issue.create({ params, body: { title: text, body: hostileMarkdown } })
      await attempt(`team ${text}`, () =>
        root.organization.team.create({
          params: { org: "acme" },
          body: { name: short, units_map: { "repo.code": "read" } }
        })
      )
      await attempt(`wiki ${text}`, () =>
        root.repository.wiki.page.create({ params, body: { title: short, content_base64: base64(hostileMarkdown) } })
      )
      await attempt(`release ${text}`, () =>
        root.repository.release.create({
          params,
          body: {
            tag_name: `v${short.length}-${encodeURIComponent(short).slice(0, 20)}`,
            name: text,
            body: hostileMarkdown,
            target_commitish: "main"
          }
        })
      )
      await attempt(`token ${text}`, () =>
        root.user.token.create({ params: { username: "root" }, body: { name: short } })
      )
    }
    await root.issue.comment.create({ params: { ...params, index: "1" }, body: { body: hostileMarkdown } })
    await root.issue.edit({ params: { ...params, index: "1" }, body: { title: second } })
    await root.repository.branch.create({ params, body: { new_branch_name: "topic" } })
    await root.repository.contents.create({
      params: { ...params, "*": "<xss-tag>.ts" },
      body: { branch: "topic", content: base64(hostileTexts.join("\n")), message: hostileTexts.join(" ") }
    })
    const { number } = await root.pull.create({
      params,
      body: { title: first, head: "topic", base: "main", body: hostileMarkdown }
    })
    await root.pull.review.create({
      params: { ...params, index: String(number) },
      body: {
        event: "COMMENT",
        body: hostileMarkdown,
        comments: [{ path: "<xss-tag>.ts", new_position: 1, body: hostileMarkdown }]
      }
    })
    for (let at = 0; at < 600; at++) {
      const runs = await root.repository.actions.run.list({ params })
      if (runs.length > 0) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const person = await signIn(url, (request) => forge.handler(request), "root")
    const { token } = await person.forge.repository.actions.runner.registrationToken.create({ params })
    const runner = await runnerOf(url, (request) => forge.handler(request), token, "r")
    const task = await runner.next()
    if (task === undefined) throw new Error("the runner got no task")
    await runner.finish(task, 1, false, hostileLog)
    refused = problems
  })
  afterAll(() => forge?.dispose())

  it("is accepted everywhere except in the names of teams and tokens, which have a format", () => {
    expect(refused.filter((name) => !/^(?:team|token) /.test(name))).toEqual([])
    expect(refused.length).toBeLessThan(2 * hostileTexts.length)
  })

  for (const who of ["root", undefined]) {
    it(`is shown as plain text on every page for ${who ?? "an anonymous caller"}`, async () => {
      const visitor = await visitorOf((request) => forge.handler(request), url, who)
      const visited = await crawl(visitor, url, ["/", "/acme", "/acme/site", "/acme/site/actions/runs/1/jobs/1"], 14)
      // The image `x` of the Markdown is missing.
      const broken = visited.filter(
        ({ address, status }) => ![200, 303, 302, 301].includes(status) && !address.endsWith("/x")
      )
      expect(broken.map(({ address, from, status }) => `${status} ${address} on ${from}`)).toEqual([])
      const pages = visited.filter(({ kind, status }) => status === 200 && !kind.startsWith("no page"))
      expect(pages.length).toBeGreaterThan(100)
      const harm = pages.flatMap(({ address, text }) =>
        harmIn(text, `${url}${address}`).map((found) => `${address}: ${found}`)
      )
      expect(harm).toEqual([])
      const log = visited.find(({ address }) => address === "/acme/site/actions/runs/1/jobs/1")
      if (who === "root") expect(log?.text).toContain("&lt;xss-tag onclick=alert(1)&gt;")
      if (who === "root") expect(log?.text).toContain("cleared")
      const withControls = pages.filter(({ text }) => controlCharacter.test(text))
      expect(withControls.map(({ address }) => address)).toEqual([])
    }, 300_000)
  }
})
