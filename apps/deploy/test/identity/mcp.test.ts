import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { endServices, newDirectory, send, start, token } from "../support.ts"

let base = ""
let reader = ""

beforeAll(async () => {
  base = await start(newDirectory(), { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }).listening()
  const made = await send("POST", `${base}/api/v1/tokens`, { name: "reader", abilities: ["read"] })
  reader = ((await made.json()) as { token: string }).token
}, 60_000)
afterAll(endServices)

const ask = async (method: string, params: object, bearer: string | undefined = token) => {
  const response = await fetch(`${base}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(bearer === "" ? {} : { authorization: `Bearer ${bearer}` })
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const call = async (name: string, given: object, bearer?: string) => {
  const { body } = await ask("tools/call", { name, arguments: given }, bearer)
  const { content, isError = false } = body.result as { content: ReadonlyArray<{ text: string }>; isError?: boolean }
  return { isError, value: JSON.parse(content[0]?.text ?? "") as unknown }
}

const switchTo = async (state: "disable" | "enable") => {
  const response = await send("POST", `${base}/api/v1/mcp/${state}`)
  expect([response.status, await response.json()]).toEqual([200, { message: `MCP server ${state}d.` }])
}

describe("the MCP endpoint", () => {
  test("answers 404 until a root token enables it, and again after it is disabled", async () => {
    expect(await ask("tools/list", {})).toEqual({ status: 404, body: { message: "The MCP server is disabled." } })
    expect((await send("POST", `${base}/api/v1/mcp/enable`, undefined, reader)).status).toBe(403)
    await switchTo("enable")
    const settings = (await (await send("GET", `${base}/api/v1/settings`)).json()) as Record<string, unknown>
    expect(settings.is_mcp_server_enabled).toBe(true)
    const listed = await ask("tools/list", {})
    const names = (listed.body.result as { tools: ReadonlyArray<{ name: string }> }).tools.map(({ name }) => name)
    expect(names).toContain("deploy_projects_list")
    expect(names.filter((name) => !name.startsWith("deploy_"))).toEqual([
      "explain_access",
      "what_would_change",
      "who_can"
    ])
    await switchTo("disable")
    expect((await ask("tools/list", {})).status).toBe(404)
  })

  test("rejects a request without a token, and one with an unknown token", async () => {
    await switchTo("enable")
    expect(await ask("tools/list", {}, "")).toEqual({
      status: 401,
      body: { message: "Send a token of the API as bearer token." }
    })
    expect((await ask("tools/list", {}, "1|unknown")).status).toBe(401)
  })

  test("calls the API with the token of the request", async () => {
    await switchTo("enable")
    const made = await call("deploy_projects_create", { body: { name: "by an assistant" } })
    expect(made.isError).toBe(false)
    const listed = await call("deploy_projects_list", {}, reader)
    expect((listed.value as ReadonlyArray<{ name: string }>).map(({ name }) => name)).toEqual([
      "default",
      "by an assistant"
    ])
    const refused = await call("deploy_projects_create", { body: { name: "another" } }, reader)
    expect(refused).toMatchObject({ isError: true, value: { status: 403 } })
  })
})
