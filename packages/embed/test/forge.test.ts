import crypto from "node:crypto"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { createForge, ForgeError } from "@slipway/embed"
import { printers } from "../../../scripts/vitest/printers.ts"

const administrator = { name: "root", email: "root@example.com", password: "correct horse battery" }
const ann = {
  username: "ann",
  email: "ann@example.com",
  password: "correct horse battery",
  must_change_password: false
}

describe("an embedded forge", () => {
  it("returns results as promises, and throws on denied operations", async () => {
    await using forge = await createForge({ administrator })
    const root = forge.actAs("root")
    await root.admin.user.create({ body: ann })
    const made = await forge.actAs("ann").organization.create({ body: { username: "acme" } })
    expect(made.username).toBe("acme")
    await forge.actAs("ann").organization.repository.create({ params: { org: "acme" }, body: { name: "site" } })
    const found = await forge.anonymous.repository.search({ query: { q: "site", limit: 1 } })
    expect(found.map(({ full_name }) => full_name)).toEqual(["acme/site"])
    await expect(forge.actAs("ann").admin.user.list()).rejects.toThrow(
      expect.objectContaining({ status: 403, message: "user should be the site admin" })
    )
    await expect(forge.actAs("nobody").account.read()).rejects.toBeInstanceOf(ForgeError)
    const refused = await forge.actAs("ann", { errors: "values" }).admin.user.list()
    expect(refused).toMatchObject({ ok: false, error: { status: 403 } })
    // @ts-expect-error an unknown action
    expect(root.organization.nonsense).toBeUndefined()
    // @ts-expect-error a body that lacks a field
    await expect(root.organization.create({ body: {} })).rejects.toMatchObject({ status: 422 })
  })

  it("serves custom routes behind its access guard, and limits their request bodies", async () => {
    const printed: Array<string> = []
    await using forge = await createForge({
      administrator,
      site: { policy: printers },
      largestBody: 1,
      routes: [
        {
          method: "POST",
          path: "/printers/:name/pages",
          action: "printer.use",
          answer: async (request, { name, user }) => {
            printed.push(await request.text())
            return Response.json({ printer: name, user }, { status: 202 })
          }
        }
      ]
    })
    await forge.actAs("root").admin.user.create({ body: ann })
    const print = async (name: string, body: string, user?: string) => {
      const sent = new Request(`https://forge.example/printers/${name}/pages`, { method: "POST", body })
      const response = await forge.handler(sent, { user })
      return [response.status, await response.json()]
    }
    expect(await print("tray-2", "a page", "ann")).toEqual([202, { printer: "tray-2", user: "ann" }])
    expect((await print("tray-1", "a page", "ann"))[0]).toBe(403)
    expect((await print("tray-9", "a page", "ann"))[0]).toBe(404)
    expect((await print("tray-2", "a page"))[0]).toBe(401)
    // Authentication comes before the size limit, and an oversized body isn't read to its end.
    const large = "x".repeat(1024 * 1024 + 1)
    expect((await print("tray-2", large))[0]).toBe(401)
    expect((await print("tray-2", large, "ann"))[0]).toBe(413)
    expect((await print("tray-1", "", "root"))[0]).toBe(202)
    expect(printed).toEqual(["a page", ""])
  })

  it("accepts users and client addresses from the host program, and can authenticate callers itself", async () => {
    const known: Record<string, string> = { "key of root": "root" }
    await using forge = await createForge({
      administrator,
      url: "https://forge.example",
      callerOf: (headers) => {
        const key = headers.get("x-key")
        if (key !== null && known[key] === undefined) throw new Error("no such key")
        return key === null ? undefined : known[key]
      }
    })
    const asked = async (headers: Record<string, string> = {}, user?: string) => {
      const response = await forge.handler(new Request("https://forge.example/api/v1/user", { headers }), {
        address: "192.0.2.1",
        user
      })
      return [response.status, ((await response.json()) as { login?: string }).login]
    }
    expect(await asked()).toEqual([401, undefined])
    expect(await asked({}, "root")).toEqual([200, "root"])
    expect(await asked({ "x-key": "key of root" })).toEqual([200, "root"])
    expect(await asked({ "x-key": "another" })).toEqual([401, undefined])
    expect(await asked({ authorization: `Basic ${btoa("root:correct horse battery")}` })).toEqual([200, "root"])
    // The host program states the client address.
    const json = { "content-type": "application/json" }
    const asking = { method: "POST", headers: json, body: JSON.stringify({ username: "acme" }) }
    const made = new Request("https://forge.example/api/v1/orgs", asking)
    expect((await forge.handler(made, { address: "192.0.2.7", user: "root" })).status).toBe(201)
    const [event] = await forge.actAs("root").organization.audit.list({ params: { org: "acme" } })
    expect(event?.address).toBe("192.0.2.7")
    // A cross-site request of a browser does not act as the user that the host program signed in.
    const forged = new Request("https://forge.example/api/v1/orgs", {
      ...asking,
      headers: { ...json, origin: "https://evil.example" }
    })
    expect((await forge.handler(forged, { user: "root" })).status).toBe(403)
  })

  it("listens with Node's server", async () => {
    await using forge = await createForge({ administrator })
    const server = createServer(
      forge.listener((request) => (request.headers["x-user"] === "root" ? "root" : undefined))
    )
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const authorization = `Basic ${btoa("root:correct horse battery")}`
    const made = await fetch(`${base}/api/v1/orgs`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ username: "acme" })
    })
    expect(made.status).toBe(201)
    expect((await fetch(`${base}/api/v1/orgs/acme`)).status).toBe(200)
    expect((await fetch(`${base}/api/v1/nothing`)).status).toBe(404)
    const named = await fetch(`${base}/api/v1/user`, { headers: { "x-user": "root" } })
    expect([named.status, ((await named.json()) as { login: string }).login]).toEqual([200, "root"])
    // Node accepts this request, and the web standard doesn't.
    const status = await new Promise((answered) =>
      request(base, { method: "TRACE" }, (response) => answered(response.resume().statusCode)).end()
    )
    expect(status).toBe(400)
    await new Promise((closed) => server.close(closed))
  })

  it("names the required Node version if Argon2id is missing", async () => {
    const { argon2 } = crypto
    crypto.argon2 = undefined as never
    const made = createForge({ administrator }).finally(() => {
      crypto.argon2 = argon2
    })
    await expect(made).rejects.toThrow(/^a forge needs Node 24\.7 or later, .*; this is Node \d+\.\d+\.\d+$/)
  })
})
