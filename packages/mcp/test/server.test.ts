import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { createForge } from "@slipway/embed"
import { endpointTools, serveHttp, toolsOf } from "@slipway/mcp"
import { call, connected } from "./support/client.ts"

const root = join(import.meta.dirname, "../../..")
const password = "correct horse battery"

let forge: Awaited<ReturnType<typeof createForge>>
let url = ""
const listener = createServer()
const tokens = new Map<string, string>()

beforeAll(async () => {
  forge = await createForge()
  const administrator = forge.actAs("administrator")
  for (const username of ["ann", "bob"]) {
    const body = { username, email: `${username}@example.com`, password, must_change_password: false }
    await administrator.admin.user.create({ body })
  }
  const ann = forge.actAs("ann")
  await ann.organization.create({ body: { username: "acme" } })
  const repository = { name: "site", private: true }
  await ann.organization.repository.create({ params: { org: "acme" }, body: repository })
  await ann.repository.collaborator.add({
    params: { username: "acme", reponame: "site", collaborator: "bob" },
    body: { permission: "write" }
  })
  listener.on("request", forge.listener())
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  for (const name of ["ann", "bob"]) {
    const response = await fetch(new URL(`/api/v1/users/${name}/tokens`, url), {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${name}:${password}`)}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "assistant", scopes: ["all"] })
    })
    tokens.set(name, (await response.json()).sha1)
  }
})

afterAll(async () => {
  listener.closeAllConnections()
  listener.close()
  await forge.dispose()
})

/** Connects over streamable HTTP to a server with options. */
const overHttp = async <A>(
  options: Omit<Parameters<typeof serveHttp>[0], "forge"> & { readonly user?: string },
  use: (client: Client) => Promise<A>
): Promise<A> => {
  const { user = "ann", ...more } = options
  const server = await serveHttp({ forge: { url, token: tokens.get(user) }, ...more }, { port: 0 })
  try {
    const headers = { authorization: `Bearer ${server.secret}` }
    return await connected(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }), use)
  } finally {
    await server.close()
  }
}

describe("the MCP tools", () => {
  it("are the endpoints of both services, with unique names of at most 64 characters", () => {
    const all = [...endpointTools.forge, ...endpointTools.deploy]
    expect(all.length).toBeGreaterThan(700)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all.filter(({ name }) => !/^[a-z][a-zA-Z0-9_]{0,63}$/.test(name))).toEqual([])
  })

  it("only read data unless writes are allowed", () => {
    const services = { forge: { url: "http://forge" }, deploy: { url: "http://deploy" } }
    const names = (allowWrites: boolean) => toolsOf({ ...services, allowWrites }).map(({ name }) => name)
    const reading = names(false)
    expect(reading).toEqual(expect.arrayContaining(["forge_repository_read", "deploy_applications_list"]))
    // A GET request of the deployment platform starts a deployment.
    for (const name of ["forge_repository_delete", "deploy_runs_deployByLink", "deploy_servers_validate"]) {
      expect(reading).not.toContain(name)
      expect(names(true)).toContain(name)
    }
    const changing = toolsOf(services).filter(({ method }) => method !== "GET")
    expect(changing.map(({ name }) => name)).toEqual([
      "forge_access_check",
      "deploy_serviceParts_applicationLogsByPost",
      "deploy_databases_revealCredentials",
      "deploy_people_check"
    ])
    expect(toolsOf({ ...services, tools: ["forge_team_*"] }).every(({ name }) => name.startsWith("forge_team_"))).toBe(
      true
    )
    expect(toolsOf({ deploy: services.deploy }).some(({ service }) => service === "forge")).toBe(false)
  })
})

describe("the MCP server", () => {
  it("serves the official client over the standard streams", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["--conditions=@slipway/source", join(root, "apps/cli/src/accessMain.ts"), "mcp", "--forge", url],
      env: { SLIPWAY_TOKEN: tokens.get("ann") ?? "" },
      stderr: "inherit"
    })
    await connected(transport, async (client) => {
      const { tools } = await client.listTools()
      const read = tools.find(({ name }) => name === "forge_repository_read")
      expect(read?.description).toBe(
        "Read a repository. GET /api/v1/repos/{username}/{reponame}\nAccess: needs the scope read:repository; needs access to the repository; needs a public resource if the token is public-only; needs to read at least one unit."
      )
      expect(read?.inputSchema.required).toEqual(["username", "reponame"])
      expect(read?.annotations).toMatchObject({ readOnlyHint: true })
      const { value } = await call(client, "forge_account_read")
      expect(value.login).toBe("ann")
    })
  })

  it("acts with the permissions of the token", async () => {
    const read = (client: Client) => call(client, "forge_repository_read", { username: "acme", reponame: "site" })
    const found = await overHttp({ user: "ann" }, read)
    expect([found.isError, found.value.full_name]).toEqual([false, "acme/site"])
    const unknown = await overHttp({ user: "nobody" }, read)
    expect([unknown.isError, unknown.value.status]).toEqual([true, 404])
  })

  it("changes data only if writes are allowed", async () => {
    const create = (client: Client) => call(client, "forge_account_repository_create", { body: { name: "notes" } })
    const refused = await overHttp({}, create)
    expect(refused).toEqual({
      isError: true,
      value: "forge_account_repository_create is not enabled: start the server with --allow-writes"
    })
    const made = await overHttp({ allowWrites: true }, create)
    expect([made.isError, made.value.full_name]).toEqual([false, "ann/notes"])
    const invalid = await overHttp({ allowWrites: true }, (client) =>
      call(client, "forge_account_repository_create", { body: { name: "no/slash" } })
    )
    expect([invalid.isError, invalid.value.status]).toEqual([true, 422])
  })

  it("rejects unknown, missing and unsafe arguments", async () => {
    await overHttp({}, async (client) => {
      const problem = async (given: Record<string, unknown>) =>
        (await call(client, "forge_repository_read", given)).value
      expect(await problem({ username: "acme" })).toBe("`reponame` is missing")
      expect(await problem({ username: "acme", reponame: "site", depth: 1 })).toBe(
        "`depth` is not an argument; forge_repository_read has username, reponame"
      )
      expect(await problem({ username: "..", reponame: "site" })).toContain("`username` has an empty segment")
      expect((await call(client, "forge_everything_read")).value).toBe("forge_everything_read is unknown")
    })
  })

  it("explains access, previews changes, and lists who can do an action", async () => {
    await overHttp({}, async (client) => {
      const resource = "repo:acme/site"
      const explained = await call(client, "explain_access", { resource, action: "repository.delete", user: "bob" })
      expect(explained.value).toMatchObject({ allowed: false, status: 403, rules: ["repo-owner"] })
      expect(explained.value.changes.length).toBeGreaterThan(0)

      const who = await call(client, "who_can", { resource, action: "repository.contents.change" })
      expect(who.value).toEqual({
        resource,
        action: "repository.contents.change",
        allowed: [
          { user: "ann", rules: ["repository.organization-owner"] },
          { user: "bob", rules: ["repository.collaborator"] }
        ],
        denied: [{ user: "anonymous", status: 404, rules: ["repo-visible"] }]
      })

      const change = { username: "acme", reponame: "site", body: { private: false } }
      const preview = await call(client, "what_would_change", { change: "forge_repository_edit", arguments: change })
      expect(preview.isError).toBe(false)
      expect(preview.value.changes).toEqual(expect.any(Array))
      const { value } = await call(client, "forge_repository_read", { username: "acme", reponame: "site" })
      expect(value.private).toBe(true)
      const other = await call(client, "what_would_change", { change: "forge_repository_delete", arguments: change })
      expect(other.isError).toBe(true)
    })
    const hidden = await overHttp({ user: "bob" }, (client) =>
      call(client, "explain_access", { resource: "repo:acme/site", action: "repository.delete", user: "ann" })
    )
    expect([hidden.isError, hidden.value.status]).toEqual([true, 404])
  })

  it("accepts only clients with its secret, and no requests from other sites", async () => {
    const server = await serveHttp(
      { forge: { url, token: tokens.get("ann") } },
      { port: 0, secret: "0123456789abcdef" }
    )
    const { port } = new URL(server.url)
    const status = (headers: Readonly<Record<string, string>>, method = "POST", path = "/mcp") =>
      new Promise<number>((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sent.once("error", reject)
        sent.end(method === "POST" ? "{" : undefined)
      })
    const authorization = "Bearer 0123456789abcdef"
    expect(await status({ authorization })).toBe(400)
    expect(await status({})).toBe(401)
    expect(await status({ authorization: "Bearer 0123456789abcdeg" })).toBe(401)
    expect(await status({ authorization, host: `evil.example:${port}` })).toBe(403)
    expect(await status({ authorization, origin: "https://evil.example" })).toBe(403)
    expect(await status({ authorization, origin: `http://localhost:${port}` })).toBe(400)
    expect(await status({ authorization }, "GET")).toBe(405)
    expect(await status({ authorization }, "POST", "/other")).toBe(404)
    await server.close()
  })
})
