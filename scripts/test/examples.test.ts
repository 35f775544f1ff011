import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { makeApp as fastifyApp } from "../../examples/fastify/app.ts"
import { makeApp as honoApp } from "../../examples/hono/app.ts"
import { sessions, start } from "../../examples/node-http/app.ts"
import { tried } from "../../examples/own-adapter/app.ts"
import { makeForge } from "../../examples/printers/app.ts"

const organization = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ username: "acme" })
}

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

describe("the example", () => {
  it.each(["node-http", "git-clients", "fastify", "hono", "own-adapter"])("%s matches the docs", (name) => {
    expect(textOf("docs/guides/embedding.md")).toContain(`\`\`\`ts\n${textOf(`examples/${name}/app.ts`)}\`\`\`\n`)
  })

  it("node-http serves a forge to users that the program authenticates", async () => {
    const { forge, server } = await start(0)
    const { port } = server.address() as AddressInfo
    const user = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/api/v1/user`, { headers })
    sessions.set("a secret", "administrator")
    expect((await user({})).status).toBe(401)
    expect((await user({ cookie: "session=another" })).status).toBe(401)
    expect(await (await user({ cookie: "session=a secret" })).json()).toMatchObject({ login: "administrator" })
    server.close()
    server.closeAllConnections()
    await once(server, "close")
    await forge.dispose()
  })

  it("fastify mounts a forge next to another route", async () => {
    const { app } = await fastifyApp()
    const base = await app.listen({ port: 0, host: "127.0.0.1" })
    expect(await (await fetch(`${base}/health`)).json()).toEqual({ ok: true })
    expect((await fetch(`${base}/api/v1/version`)).status).toBe(200)
    expect((await fetch(`${base}/api/v1/orgs`, organization)).status).toBe(401)
    app.server.closeAllConnections()
    await app.close()
  })

  it("hono mounts a forge next to another route", async () => {
    const { app, forge } = await honoApp()
    expect(await (await app.request("/health")).json()).toEqual({ ok: true })
    expect((await app.request("/api/v1/version")).status).toBe(200)
    expect((await app.request("/api/v1/orgs", organization)).status).toBe(401)
    await forge.dispose()
  })

  it("own-adapter replaces an adapter of the forge", async () => {
    expect(await tried("I love acme")).toBe("[password]: is among the most common passwords")
    expect(await tried("correct horse battery")).toBe("made")
  })

  it("printers guards a route of a custom resource type", async () => {
    await using forge = await makeForge()
    const root = forge.actAs("administrator")
    const password = "correct horse battery"
    await root.admin.user.create({
      body: { username: "ann", email: "ann@example.com", password, must_change_password: false }
    })
    const print = async (name: string, from: { readonly user?: string }, headers: Record<string, string> = {}) => {
      const asking = new Request(`http://localhost/printers/${name}/pages`, { method: "POST", body: "a page", headers })
      const response = await forge.handler(asking, from)
      return [response.status, await response.json()]
    }
    expect(await print("tray-2", { user: "ann" })).toEqual([202, { printer: "tray-2", user: "ann", printed: "a page" }])
    expect(await print("tray-1", { user: "ann" })).toEqual([
      403,
      { message: "user may not printer.use", url: expect.any(String) }
    ])
    expect((await print("tray-1", { user: "administrator" }))[0]).toBe(202)
    expect((await print("tray-2", {}))[0]).toBe(401)
    expect((await print("tray-9", { user: "ann" }))[0]).toBe(404)
    // A request that another site triggers in a browser does not act as the host program's user.
    expect((await print("tray-2", { user: "ann" }, { origin: "https://evil.example" }))[0]).toBe(403)
    const [refusal] = await root.admin.audit.list({ query: { action: "printer.use" } })
    expect(refusal).toMatchObject({ outcome: "refused", actor: { login: "ann" } })
  })
})
