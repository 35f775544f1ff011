import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ServiceProcesses } from "@slipway/http/testing"
import { type McpOptions, serveHttp } from "@slipway/mcp"
import { call, connected } from "./support/client.ts"

const apps = join(import.meta.dirname, "../../../apps")
const processes = new ServiceProcesses(join(apps, "deploy/src/main.ts"))
const token = "chosen-by-the-test"

let url = ""
let project = ""
let ann = ""
let limited = ""

const send = async (path: string, body?: object) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}

beforeAll(async () => {
  const settings = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }
  url = await processes.start(processes.directory(), settings).listening()
  project = (await send("/projects"))[0].uuid
  const password = "correct horse battery"
  ann = (await send("/accounts", { name: "ann", email: "ann@example.com", password })).uuid
  await send("/teams/0/members", { account_uuid: ann })
  await send("/grants", { account_uuid: ann, place_type: "project", place_uuid: project, role: "viewer" })
  limited = (await send("/tokens", { name: "assistant", abilities: ["read"], projects: [project] })).token
}, 60_000)

afterAll(() => processes.end())

/** Connects over streamable HTTP. */
const overHttp = async <A>(use: (client: Client) => Promise<A>, options: McpOptions = { deploy: { url, token } }) => {
  const server = await serveHttp(options, { port: 0 })
  const headers = { authorization: `Bearer ${server.secret}` }
  try {
    return await connected(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }), use)
  } finally {
    await server.close()
  }
}

/** Connects over the standard streams of the command. */
const overStdio = <A>(use: (client: Client) => Promise<A>) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--conditions=@slipway/source", join(apps, "cli/src/accessMain.ts"), "mcp", "--deploy", url],
    env: { DEPLOY_TOKEN: token },
    stderr: "inherit"
  })
  return connected(transport, use)
}

for (const [over, connect] of [
  ["streamable HTTP", overHttp],
  ["the standard streams", overStdio]
] as const) {
  describe(`the tools about access to deploy over ${over}`, () => {
    it("explain decisions, list who can do an action, and preview grants", async () => {
      await connect(async (client) => {
        const { tools } = await client.listTools()
        const who = tools.find(({ name }) => name === "who_can")
        expect(Object.keys(who?.inputSchema.properties ?? {})).toEqual(["action", "object"])
        expect(who?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })

        const own = await call(client, "explain_access", { action: "project.update", object: project })
        expect(own).toMatchObject({ isError: false, value: { action: "project.update", allowed: true, status: 200 } })
        expect(own.value.steps.map(({ check }: { check: string }) => check)).toEqual([
          "write",
          "there",
          "token",
          "role-edit"
        ])
        const asked = { action: "project.update", object: project }
        const about = await call(client, "explain_access", { ...asked, member: "Ann" })
        expect(about.value).toMatchObject({ account_uuid: ann, name: "ann", allowed: false, status: 403 })
        const missing = await call(client, "explain_access", { ...asked, member: "nobody" })
        expect(missing).toEqual({ isError: true, value: "`member`: the team has no member nobody" })

        const reading = await call(client, "who_can", { action: "project.read", object: project })
        expect(reading.value.allowed.map(({ name }: { name: string }) => name)).toContain("ann")
        const updating = await call(client, "who_can", asked)
        expect(updating.value.denied).toContainEqual({
          account_uuid: ann,
          name: "ann",
          status: 403,
          because: about.value.because
        })

        const body = { account_uuid: ann, place_type: "project", place_uuid: project, role: "developer" }
        const change = { change: "deploy_people_createGrant", arguments: { body } }
        const preview = await call(client, "what_would_change", change)
        expect(preview.value.gains).toContain("project.update")
        expect((await call(client, "who_can", asked)).value).toEqual(updating.value)
        const unknown = await call(client, "what_would_change", { ...change, change: "deploy_projects_delete" })
        expect(unknown).toEqual({ isError: true, value: "`change` is not deploy_people_createGrant" })
      })
    })
  })
}

describe("the tools about access", () => {
  it("act with the permissions of the token", async () => {
    const options = { deploy: { url, token: limited } }
    const asked = { action: "project.read", object: project }
    await overHttp(async (client) => {
      expect((await call(client, "explain_access", asked)).value.allowed).toBe(true)
      const refused = await call(client, "who_can", asked)
      expect([refused.isError, refused.value.status]).toEqual([true, 403])
    }, options)
  })

  it("have an argument with the service if the server has both services", async () => {
    const options = { forge: { url: "http://127.0.0.1:1" }, deploy: { url, token } }
    await overHttp(async (client) => {
      const { tools } = await client.listTools()
      const names = tools.map(({ name }) => name).filter((name) => !/^(forge|deploy)_/.test(name))
      expect(names).toEqual(["explain_access", "what_would_change", "who_can"])
      const { inputSchema } = tools.find(({ name }) => name === "explain_access") ?? {}
      expect(inputSchema?.required).toEqual(["service", "action"])
      expect(Object.keys(inputSchema?.properties ?? {})).toEqual([
        "service",
        "resource",
        "action",
        "user",
        "object",
        "member"
      ])
      const asked = { action: "project.read", object: project }
      const answer = await call(client, "explain_access", { service: "deploy", ...asked })
      expect(answer.value.allowed).toBe(true)
      expect(await call(client, "explain_access", asked)).toEqual({
        isError: true,
        value: "`service` is not one of forge, deploy"
      })
      expect(await call(client, "explain_access", { service: "deploy", action: "project.read", user: "ann" })).toEqual({
        isError: true,
        value: "`user` is not an argument; explain_access has action, object, member"
      })
    }, options)
  })
})
