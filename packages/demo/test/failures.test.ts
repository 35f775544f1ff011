import { describe, expect, it } from "@effect/vitest"
import { GitOverloaded, GitReader } from "@slipway/domain/forge/code"
import { Markdown } from "@slipway/domain/forge/collaboration"
import { createForge, type Forge, type ForgeOptions } from "@slipway/embed"
import { Gate } from "@slipway/http/server"
import { gitReader } from "@slipway/memory/forge"
import { pageTable } from "@slipway/web"
import { Effect, Layer } from "effect"
import { password } from "../src/clients.ts"
import { visitorOf } from "./support/visitor.ts"

const url = "https://forge.example"
const administrator = { name: "ann", email: "ann@example.com", password }

const open = async (forge: Forge, path: string, accept = "text/html", method = "GET") => {
  const response = await forge.handler(new Request(`${url}${path}`, { method, headers: { accept } }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const makeSite = async (ports: NonNullable<ForgeOptions["ports"]>): Promise<Forge> => {
  const forge = await createForge({ administrator, url, ports })
  await forge
    .actAs("ann")
    .account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
  return forge
}

const requestIdIn = (text: string): string | undefined => /Request id: <code>([\w-]+)<\/code>/.exec(text)?.[1]

describe("the page of a failure", () => {
  it("has the status 500 and the request's id, and not the error", async () => {
    // BOUNDARY: the other methods of the port are not called.
    const broken = { render: () => Effect.die(new Error("boom")) } as unknown as Markdown["Service"]
    await using forge = await makeSite(Layer.succeed(Markdown, broken))
    const { headers, status, text } = await open(forge, "/ann/site")
    expect([status, headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"])
    expect(text).toContain("<h1>Something went wrong</h1>")
    expect(requestIdIn(text)).toMatch(/^\w{16,}$/)
    expect(requestIdIn(text)).toBe(headers.get("x-request-id"))
    expect(text).not.toContain("boom")
  })

  it("has the status 503 and the request's id when a limit of the service is reached", async () => {
    const isFull = { current: false }
    const overloaded = Layer.effect(
      GitReader,
      Effect.map(
        GitReader,
        (reader) =>
          new Proxy(reader, {
            get: (target, name) =>
              isFull.current ? () => Effect.fail(new GitOverloaded({ of: "programs" })) : Reflect.get(target, name)
          })
      )
    )
    await using forge = await makeSite(Layer.provide(overloaded, gitReader))
    isFull.current = true
    const { headers, status, text } = await open(forge, "/ann/site")
    expect([status, headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"])
    expect(requestIdIn(text)).toBe(headers.get("x-request-id"))
  })

  it("has the status 429, the waiting time and the request's id, and sets no cookies, even for a form", async () => {
    // The creation of the repository is counted too.
    const rateLimits = { token: undefined, address: 4, trustedProxies: [] }
    await using forge = await makeSite(Layer.succeed(Gate, { rateLimits, origins: undefined, compresses: false }))
    for (let at = 0; at < 3; at++) expect((await open(forge, "/ann/site")).status).toBe(200)
    for (const method of ["GET", "POST"]) {
      const { headers, status, text } = await open(forge, "/user/login", "text/html", method)
      expect([method, status, headers.get("content-type")]).toEqual([method, 429, "text/html; charset=utf-8"])
      const wait = headers.get("retry-after") ?? ""
      expect(Number(wait)).toBeGreaterThan(0)
      expect(text).toContain(wait)
      expect(requestIdIn(text)).toBe(headers.get("x-request-id"))
      expect(headers.getSetCookie()).toEqual([])
      expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    }
    const json = await open(forge, "/api/v1/version", "text/html")
    expect([json.status, json.headers.get("content-type")]).toEqual([429, "application/json"])
  })
})

describe("the page of a hidden repository", () => {
  it("equals the page of a missing repository, at every address of a repository (I9)", async () => {
    await using forge = await createForge({ administrator, url })
    await forge.actAs("ann").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const body = { auto_init: true, default_branch: "main", private: true }
    await forge.actAs("ann").account.repository.create({ body: { name: "hidden", ...body } })
    const paths = pageTable.map(({ path }) => path).filter((path) => path.startsWith("/:owner/:repo"))
    expect(paths.length).toBeGreaterThan(50)
    const stable = (text: string): string =>
      text
        .replaceAll("absent", "hidden")
        .replace(/name="(form|idempotency_key)" value="[^"]*"/g, "")
        .replace(/<code>[\w-]+<\/code>/g, "")
    for (const who of [undefined, "bob"]) {
      const visitor = await visitorOf((request) => forge.handler(request), url, who)
      for (const path of paths) {
        const address = (name: string) =>
          path.replace("/:owner/:repo", `/ann/${name}`).replace("*", "main").replace(/:\w+/g, "1")
        const [hidden, missing] = [await visitor.go(address("hidden")), await visitor.go(address("absent"))]
        expect([path, hidden.status, hidden.to, stable(hidden.text)]).toEqual([
          path,
          missing.status,
          missing.to?.replace("absent", "hidden") ?? null,
          stable(missing.text)
        ])
        expect([404, 303]).toContain(hidden.status)
      }
    }
  })
})
