import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { GitRemotes } from "@slipway/domain/forge/integrations"
import { createForge, type Forge } from "@slipway/embed"
import { Effect, Layer } from "effect"
import { openBrowser, password, rootUrl } from "../support/site.ts"

/** Other hosts: each has an empty repository at every address, and refuses pushes. */
const otherHosts = Layer.effect(
  GitRemotes,
  Effect.map(GitRemotes, (none) => ({ ...none, fetch: () => Effect.succeed({ head: undefined, refs: new Map() }) }))
)

describe("the tag protections and mirrors in the settings of a repository", () => {
  let forge: Forge
  const params = { username: "ann", reponame: "site" }
  beforeAll(async () => {
    const administrator = { name: "root", email: "root@example.com", password }
    forge = await createForge({ administrator, ports: otherHosts, url: rootUrl })
    for (const username of ["ann", "bob", "cy", "eve"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({
      body: { name: "site", private: true, auto_init: true, default_branch: "main" }
    })
    for (const [collaborator, permission] of [
      ["bob", "write"],
      ["cy", "admin"]
    ] as const)
      await ann.repository.collaborator.add({ params: { ...params, collaborator }, body: { permission } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  it("have the same status as the API for each user, also for a missing repository (I9)", async () => {
    const browsers = [
      openBrowser(forge),
      ...(await Promise.all(["eve", "bob", "cy", "ann"].map((name) => signedIn(name))))
    ]
    for (const path of ["tags", "mirrors"]) {
      const statuses = async (repository: string) =>
        Promise.all(browsers.map(async (each) => (await each.go(`/ann/${repository}/settings/${path}`)).status))
      expect(await statuses("site"), path).toEqual([303, 404, 403, 200, 200])
      expect(await statuses("none"), path).toEqual([303, 404, 404, 404, 404])
    }
  })

  it("create, change and delete tag protections, and keep the values of a rejected form", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings/tags"
    const rules = () => forge.actAs("ann").repository["tag-protection"].list({ params })
    const unknown = await ann.fill(at, at, { do: "add", name_pattern: "v*", whitelist_usernames: "nobody" })
    expect([unknown.status, unknown.text.includes('id="error-whitelist_usernames"')]).toEqual([422, true])
    expect([unknown.text.includes('value="v*"'), unknown.text.includes('value="nobody"')]).toEqual([true, true])
    const empty = await ann.fill(at, at, { do: "add", name_pattern: " " })
    expect([empty.status, empty.text.includes('id="error-name_pattern"')]).toEqual([422, true])
    expect(await rules()).toEqual([])
    expect((await ann.fill(at, at, { do: "add", name_pattern: "v*", whitelist_usernames: "bob, cy" })).to).toBe(at)
    expect(await rules()).toMatchObject([{ name_pattern: "v*", whitelist_usernames: ["bob", "cy"] }])
    expect((await ann.go(at)).text).toContain("Allowed: bob, cy")
    const [{ id } = { id: 0 }] = await rules()
    const edit = `${at}?edit=${id}`
    expect((await ann.go(edit)).text).toMatch(/name="whitelist_usernames"[^>]*value="bob, cy"/)
    const fields = { do: "edit", id: String(id), name_pattern: "v1.*", whitelist_usernames: "" }
    expect((await ann.fill(edit, at, fields)).to).toBe(at)
    expect(await rules()).toMatchObject([{ name_pattern: "v1.*", whitelist_usernames: [] }])
    expect((await ann.go(at)).text).toContain("No user may create, move or delete matching tags.")
    expect((await ann.fill(at, at, { do: "delete", id: String(id) })).to).toBe(at)
    expect(await rules()).toEqual([])
  })

  it("add, synchronize and delete push mirrors, and never show their password", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings/mirrors"
    const mirrors = () => forge.actAs("ann").repository["push-mirror"].list({ params })
    const fields = { do: "add", remote_username: "ann", remote_password: "s3cret!", sync_on_commit: "on" }
    const wrong = await ann.fill(at, at, { ...fields, remote_address: "ssh://copies.example/site" })
    expect([wrong.status, wrong.text.includes('id="error-remote_address"')]).toEqual([422, true])
    expect(wrong.text).toContain('value="ssh://copies.example/site"')
    expect(wrong.text).not.toContain("s3cret!")
    const often = { ...fields, remote_address: "https://copies.example/site.git", interval: "1m" }
    expect((await ann.fill(at, at, often)).text).toContain('id="error-interval"')
    expect((await ann.fill(at, at, { ...often, interval: "12h" })).to).toBe(at)
    const [made] = await mirrors()
    expect(made).toMatchObject({
      remote_address: "https://copies.example/site.git",
      interval: "12h0m0s",
      sync_on_commit: true
    })
    const { text } = await ann.go(at)
    expect(text).toContain("<code>https://copies.example/site.git</code>")
    expect(text).toContain("every 12h0m0s · after each push")
    expect(text).not.toContain("s3cret!")
    expect((await ann.fill(at, at, { do: "sync-push" })).to).toBe(at)
    expect((await ann.fill(at, at, { do: "delete", name: made?.remote_name ?? "" })).to).toBe(at)
    expect(await mirrors()).toEqual([])
  })

  it("offer no change of mirrors in an archived repository, as the API decides", async () => {
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "old" } })
    const old = { username: "ann", reponame: "old" }
    await ann.repository["push-mirror"].create({
      params: old,
      body: { remote_address: "https://copies.example/old.git" }
    })
    await ann.repository.edit({ params: old, body: { archived: true } })
    const { text } = await (await signedIn("ann")).go("/ann/old/settings/mirrors")
    expect(text).toContain("The repository is archived: unarchive it to add or synchronize mirrors.")
    expect(text).toContain("https://copies.example/old.git")
    expect(text).not.toMatch(/name="do" value="(?:add|delete|sync-push)"/)
  })

  it("show the source of a pull mirror and its state, and synchronize it", async () => {
    await forge.actAs("ann").repository.migrate({
      body: { clone_addr: "https://source.example/up.git", repo_name: "copy", mirror: true, mirror_interval: "1h" }
    })
    const ann = await signedIn("ann")
    const at = "/ann/copy/settings/mirrors"
    const { text } = await ann.go(at)
    expect(text).toContain("<code>https://source.example/up.git</code>")
    expect(text).toContain("every 1h0m0s")
    expect(text).toContain('<span class="badge ok">Up to date</span>')
    expect((await ann.fill(at, at, { do: "sync" })).to).toBe(at)
    expect((await ann.go("/ann/site/settings/mirrors")).text).not.toContain("Pull mirror")
    const german = await (await signedIn("ann", "de")).go(at)
    expect([german.text.includes("Pull-Spiegel"), german.text.includes("Jetzt abgleichen")]).toEqual([true, true])
  })
})
