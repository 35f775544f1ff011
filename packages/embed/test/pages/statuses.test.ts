import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl, writeFile } from "./support/site.ts"

/** Pages of a repository, each with the API path that reads the shown resource. */
const shown: ReadonlyArray<readonly [page: string, api: string]> = [
  ["", ""],
  ["compare/main...main", "compare/main...main"],
  ["compare/main...nope", "compare/main...nope"],
  ["blame/branch/main/README.md", "blame/README.md"],
  ["blame/branch/main/nope.md", "blame/nope.md"],
  ["find/main", "file-search?ref=main"],
  ["stars", "stargazers"],
  ["watchers", "subscribers"],
  ["forks", "forks"],
  ["wiki/Home", "wiki/page/Home"],
  ["actions", "actions/runs"],
  ["actions/runs/1", "actions/runs/1"],
  ["actions/runs/99", "actions/runs/99"],
  ["issues/1", "issues/1"],
  ["issues/99", "issues/99"],
  ["pulls/2", "pulls/2"],
  ["pulls/2/files", "pulls/2.diff"],
  ["pulls/2/commits", "pulls/2/commits"],
  ["pulls/2/checks", "pulls/2"]
]

/** Pages with only a form: visitors are redirected to the sign-in page, others get the status of the repository. */
const forms = ["_new/main", "_edit/main/README.md", "_delete/main/README.md", "_upload/main", "fork"]

const repositories = ["site", "secret", "plain", "nowhere"] as const

describe("the statuses of pages", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    for (const name of ["site", "secret", "plain"]) {
      const params = { username: "ann", reponame: name }
      await ann.account.repository.create({
        body: { name, auto_init: true, default_branch: "main", private: name === "secret" }
      })
      await writeFile(
        forge,
        name,
        ".gitea/workflows/ci.yml",
        "on: push\njobs:\n  build: { runs-on: linux, steps: [{ run: make }] }\n"
      )
      await ann.repository.wiki.page.create({ params, body: { title: "Home", content_base64: btoa("Hello") as never } })
      await ann.issue.create({ params, body: { title: "One" } })
      await ann.repository.branch.create({ params, body: { new_branch_name: "topic" } })
      await ann.repository.contents.create({
        params: { ...params, "*": "a.txt" },
        body: { content: btoa("a\n") as never, branch: "topic" }
      })
      await ann.pull.create({ params, body: { title: "Two", head: "topic", base: "main" } })
    }
    const off = { has_wiki: false, has_issues: false, has_pull_requests: false, has_actions: false }
    await ann.repository.edit({ params: { username: "ann", reponame: "plain" }, body: off })
  })
  afterAll(() => forge.dispose())

  const browserOf = async (who: string) => {
    const browser = openBrowser(forge)
    if (who !== "anonymous") await browser.signIn(who)
    return browser
  }
  const ask = async (who: string, path: string) => {
    const basic: Record<string, string> =
      who === "anonymous" ? {} : { authorization: `Basic ${Buffer.from(`${who}:${password}`).toString("base64")}` }
    const response = await forge.handler(new Request(`${rootUrl}/api/v1/repos/${path}`, { headers: basic }))
    await response.body?.cancel()
    return response.status
  }

  for (const who of ["anonymous", "bob", "ann"]) {
    it(`equal the API's statuses for ${who}, but 401 becomes a redirect to the sign-in page (I2, I9)`, async () => {
      const browser = await browserOf(who)
      const seen = new Set<number>()
      for (const repository of repositories)
        for (const [page, api] of shown) {
          const status = await ask(who, `ann/${repository}${api === "" ? "" : `/${api}`}`)
          const expected = status === 401 ? 303 : status
          const path = `/ann/${repository}${page === "" ? "" : `/${page}`}`
          // A visitor is sent to sign in before the forge looks at the repository, hidden or missing.
          const isRedirected = who === "anonymous" && page === "actions"
          expect([path, (await browser.go(path)).status]).toEqual([path, isRedirected ? 303 : expected])
          seen.add(expected)
        }
      expect([...seen].filter((status) => ![200, 303, 403, 404].includes(status))).toEqual([])
      expect([seen.has(200), seen.has(404)]).toEqual([true, true])
    })

    it(`equal the status of the repository page on pages that contain only a form, for ${who}`, async () => {
      const browser = await browserOf(who)
      for (const repository of repositories)
        for (const form of forms) {
          const status = who === "anonymous" ? 303 : await ask(who, `ann/${repository}`)
          const path = `/ann/${repository}/${form}`
          expect([path, (await browser.go(path)).status]).toEqual([path, status])
        }
    })
  }
})
