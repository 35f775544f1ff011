import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

const marker = "unseen-marker"

describe("the pages of packages", () => {
  let forge: Forge
  const publish = async (owner: string, path: string) => {
    const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
    const sent = { method: "PUT", headers: { authorization }, body: "bytes" }
    return (await forge.handler(new Request(`${rootUrl}/api/packages/${owner}/generic/${path}`, sent))).status
  }
  const signedIn = async (name: string) => {
    const browser = openBrowser(forge)
    await browser.signIn(name)
    return browser
  }

  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme" } })
    await ann.organization.create({ body: { username: "hidden", visibility: "private" } })
    await ann.organization.repository.create({ params: { org: "acme" }, body: { name: "site" } })
    await ann.organization.repository.create({ params: { org: "acme" }, body: { name: marker, private: true } })
    for (const path of ["tool/1.0/tool.zip", "tool/2.0/tool.zip", "tool/2.0/read%20me.txt", "lamp/3/lamp.bin"])
      expect(await publish("acme", path)).toBe(201)
    expect(await publish("hidden", `${marker}/1/a`)).toBe(201)
    const key = { username: "acme", type: "generic" }
    await ann.package.link({ params: { ...key, name: "tool", repo_name: "site" } })
    await ann.package.link({ params: { ...key, name: "lamp", repo_name: marker } })
  })
  afterAll(() => forge.dispose())

  it("list the versions of an owner's packages, by name and type", async () => {
    const bob = await signedIn("bob")
    const { text } = await bob.go("/acme/-/packages")
    const links = [...text.matchAll(/href="(\/acme\/-\/packages\/[^"]+)"/g)].map(([, to]) => to)
    expect(links).toEqual([
      "/acme/-/packages/generic/lamp",
      "/acme/-/packages/generic/lamp/3",
      "/acme/-/packages/generic/tool",
      "/acme/-/packages/generic/tool/2.0",
      "/acme/-/packages/generic/tool",
      "/acme/-/packages/generic/tool/1.0"
    ])
    const { text: found } = await bob.go("/acme/-/packages?q=LAMP&type=generic")
    expect([found.includes("generic/lamp/3"), found.includes("generic/tool")]).toEqual([true, false])
    expect((await bob.go("/acme/-/packages?type=npm")).text).toContain("No packages.")
    expect((await openBrowser(forge).go("/acme/-/packages")).to).toBe("/user/login?redirect_to=%2Facme%2F-%2Fpackages")
  })

  it("list only the packages that are linked to a repository", async () => {
    const bob = await signedIn("bob")
    const { text } = await bob.go("/acme/site/packages")
    expect([text.includes("generic/tool/2.0"), text.includes("generic/lamp")]).toEqual([true, false])
  })

  it("show the files of a version and the command to install the version", async () => {
    const bob = await signedIn("bob")
    const { text } = await bob.go("/acme/-/packages/generic/tool/2.0")
    expect(text).toContain(
      "curl -fOJ https://forge.example/api/packages/acme/generic/tool/2.0/tool.zip\ncurl -fOJ https://forge.example/api/packages/acme/generic/tool/2.0/read%20me.txt"
    )
    expect(text).toContain("read me.txt</td><td>5 bytes</td>")
    expect(text).toContain("277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9")
    const { text: whole } = await bob.go("/acme/-/packages/generic/tool")
    expect(whole).toContain("Latest: <code>2.0</code>")
    expect(whole).toContain('href="/acme/-/packages/generic/tool/1.0"')
  })

  it("show nothing of hidden owners and repositories", async () => {
    const bob = await signedIn("bob")
    const missing = await bob.go("/nobody/-/packages")
    expect(missing.status).toBe(404)
    const withoutId = (text: string) => text.replace(/value="[^"]*"|<code>[^<]*<\/code>/g, "")
    for (const at of ["/hidden/-/packages", `/hidden/-/packages/generic/${marker}`, `/acme/${marker}/packages`]) {
      const hidden = await bob.go(at)
      expect([at, hidden.status, withoutId(hidden.text)]).toEqual([at, 404, withoutId(missing.text)])
    }
    for (const at of ["/acme/-/packages", "/acme/-/packages/generic/lamp", "/acme/-/packages/generic/lamp/3"])
      expect([at, (await bob.go(at)).text.includes(marker)]).toEqual([at, false])
    expect((await (await signedIn("ann")).go("/acme/-/packages")).text).toContain(marker)
  })

  it("allow only users with write access to link and delete packages, and keep the typed values", async () => {
    const at = "/acme/-/packages/generic/tool"
    const bob = await signedIn("bob")
    const { text } = await bob.go(at)
    expect([text.includes("Delete package"), text.includes("Link to repository")]).toEqual([false, false])
    const csrf = /name="form" value="(\w+)"/.exec(text)?.[1] ?? ""
    expect((await bob.post(at, { form: csrf, do: "delete", confirm: "tool" })).status).toBe(403)
    const ann = await signedIn("ann")
    const wrong = await ann.fill(at, at, { do: "link", repository: "none" })
    expect(wrong.text).toContain('id="error-repository">does not exist, or you may not see it')
    expect(wrong.text).toContain('value="none"')
    expect((await ann.fill(at, at, { do: "unlink" })).to).toBe(at)
    expect((await ann.go("/acme/site/packages")).text).toContain("No package is linked to this repository.")
    expect((await ann.fill(at, at, { do: "link", repository: "site" })).to).toBe(at)
    expect((await ann.fill(`${at}/1.0`, `${at}/1.0`, { do: "delete" })).to).toBe("/acme/-/packages")
    expect((await ann.go(`${at}/1.0`)).status).toBe(404)
    const untyped = await ann.fill(at, at, { do: "delete", confirm: "lamp" })
    expect(untyped.text).toContain('id="error-confirm">must be tool')
    expect((await ann.fill(at, at, { do: "delete", confirm: "tool" })).to).toBe("/acme/-/packages")
    expect((await ann.go(at)).status).toBe(404)
  })
})
