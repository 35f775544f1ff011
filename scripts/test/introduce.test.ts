import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { callbacksOf } from "../connect-services.ts"
import { introduction } from "../introduce.ts"

let directory: string
const servers: Array<Server> = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "slipway-introduce-"))
})
afterEach(async () => {
  rmSync(directory, { recursive: true })
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

/** The status of a response that closes the connection without an answer. */
const hangUp = 0

/** Starts a service that answers each request line, and keeps the lines with their credentials and bodies. */
const start = async (reply: (line: string) => readonly [status: number, body: unknown]) => {
  const asked: Array<string> = []
  const server = createServer((request, answer) => {
    let body = ""
    request.on("data", (chunk) => (body += chunk))
    request.on("end", () => {
      const line = `${request.method} ${request.url}`
      if (line !== "GET /readyz") asked.push(`${line} ${request.headers.authorization} ${body}`.trim())
      const [status, said] = line === "GET /readyz" ? [200, {}] : reply(line)
      if (status === hangUp) request.socket.destroy()
      else answer.writeHead(status, { connection: "close" }).end(JSON.stringify(said))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { asked, port: String((server.address() as AddressInfo).port) }
}

const oauth2 = "/api/v1/user/applications/oauth2"

const startBoth = async (
  connected: (() => readonly [number, unknown]) | readonly [number, unknown] = [201, { uuid: "u" }],
  present: (forge: string) => ReadonlyArray<unknown> = () => [],
  isAdministrator = true
) => {
  const forge = await start((line) => {
    if (line === `POST ${oauth2}`) return [201, { id: 9, client_id: "client", client_secret: "sealed" }]
    if (line === "GET /api/v1/user") return [200, { id: 1, is_admin: isAdministrator }]
    return line.startsWith("POST") ? [201, { id: 7, sha1: "narrow" }] : [204, ""]
  })
  const platform = await start((line) =>
    line.startsWith("GET")
      ? [200, present(`http://127.0.0.1:${forge.port}`)]
      : typeof connected === "function"
        ? connected()
        : connected
  )
  const environment = {
    DEPLOY_PORT: platform.port,
    DEPLOY_PROXY_HTTP: "127.0.0.1:8080",
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: "secret",
    FORGE_PORT: forge.port
  }
  return { environment, forge, platform }
}

const { signal } = new AbortController()
const basic = `Basic ${Buffer.from("ann:secret").toString("base64")}`
const file = () => join(directory, ".slipway", "deploy.json")

test("a first start connects the platform with a narrow token, and stores its access for its owner only", async () => {
  const { environment, forge, platform } = await startBoth()
  const planned = introduction(environment, directory)
  const token = planned?.settings.deploy?.DEPLOY_TOKEN ?? ""
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(planned?.settings.forge).toEqual({
    FORGE_ALLOWED_ADDRESSES: `127.0.0.1:${platform.port}`,
    FORGE_DEPLOY_URL: `http://127.0.0.1:${platform.port}`
  })
  expect(await planned?.run(signal)).toBe(`connected to http://127.0.0.1:${forge.port} as ann`)
  expect(forge.asked.map((line) => line.replace(/platform [^"]+/, "platform TIME"))).toEqual([
    `POST /api/v1/users/ann/tokens ${basic} {"name":"deployment platform TIME","scopes":["write:repository","write:issue","read:user"]}`,
    `POST ${oauth2} ${basic} ${JSON.stringify({
      name: "Slipway deploy",
      redirect_uris: [
        `http://127.0.0.1:${platform.port}/auth/oidc/callback`,
        `http://localhost:${platform.port}/auth/oidc/callback`
      ],
      confidential_client: true,
      skip_secondary_authorization: true
    })}`,
    `GET /api/v1/user ${basic}`
  ])
  expect(platform.asked).toEqual([
    `GET /api/v1/forge-connections Bearer ${token}`,
    `POST /api/v1/forge-connections Bearer ${token} ${JSON.stringify({
      name: "forge",
      url: `http://127.0.0.1:${forge.port}`,
      token: "narrow",
      platform_url: `http://127.0.0.1:${platform.port}`,
      ssh_port: 2222,
      client_id: "client",
      client_secret: "sealed",
      grant_owner: true
    })}`
  ])
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
    url: `http://127.0.0.1:${platform.port}`,
    token,
    domain: "localhost:8080",
    isConnected: true
  })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test("an account that does not administer the forge becomes no owner of the platform", async () => {
  const { environment, platform } = await startBoth(undefined, undefined, false)
  expect(await introduction(environment, directory)?.run(signal)).toMatch(/^connected to/)
  const sent = JSON.parse(platform.asked[1]?.replace(/^[^{]*/, "") ?? "")
  expect([sent.client_id, sent.grant_owner]).toEqual(["client", undefined])
})

test("connects without an owner if people sign in to the platform through another provider", async () => {
  const replies = [[400, { errors: { grant_owner: ["Another provider."] } }] as const, [201, { uuid: "u" }] as const]
  const { environment, forge, platform } = await startBoth(() => replies.shift() ?? [500, {}])
  expect(await introduction(environment, directory)?.run(signal)).toBe(
    `connected to http://127.0.0.1:${forge.port} as ann; ann is no owner of the platform: Another provider.`
  )
  const [first, second, ...others] = platform.asked.slice(1).map((line) => JSON.parse(line.replace(/^[^{]*/, "")))
  expect([first.grant_owner, second.grant_owner, second.token, others]).toEqual([true, undefined, "narrow", []])
})

test("a later start neither creates a token nor connects again", async () => {
  const { environment, forge, platform } = await startBoth()
  mkdirSync(join(directory, ".slipway", "deploy"), { recursive: true })
  const planned = introduction(environment, directory)
  expect(planned?.settings.deploy).toEqual({})
  expect(await planned?.run(signal)).toBeUndefined()
  expect([...forge.asked, ...platform.asked]).toEqual([])
})

test("a token from DEPLOY_TOKEN is used for one connection, even on a platform with data", async () => {
  const { environment, platform } = await startBoth()
  mkdirSync(join(directory, ".slipway", "deploy"), { recursive: true })
  const chosen = { ...environment, DEPLOY_TOKEN: "chosen" }
  expect(await introduction(chosen, directory)?.run(signal)).toMatch(/^connected to/)
  expect(platform.asked[0]).toBe("GET /api/v1/forge-connections Bearer chosen")
  expect(await introduction(chosen, directory)?.run(signal)).toBeUndefined()
  expect(platform.asked.length).toBe(2)
})

test("a token and a client are removed from the forge if the platform does not connect", async () => {
  const { environment, forge } = await startBoth([400, { message: "Validation failed." }])
  const said = await introduction({ ...environment, FORGE_SSH_PORT: "off" }, directory)?.run(signal)
  expect(said).toBe('not connected: {"message":"Validation failed."}')
  expect(forge.asked.slice(-2)).toEqual([`DELETE /api/v1/users/ann/tokens/7 ${basic}`, `DELETE ${oauth2}/9 ${basic}`])
})

test("a token and a client are removed if the request is lost, but stay if the platform has used them", async () => {
  for (const isUsed of [false, true]) {
    let isSent = false
    const { environment, forge } = await startBoth([hangUp, ""], (url) => {
      const listed = isSent && isUsed ? [{ uuid: "c", url, account: "ann", client_id: "client" }] : []
      isSent = true
      return listed
    })
    const outcome = await introduction(environment, directory)
      ?.run(signal)
      .catch((error: Error) => error.name)
    expect(outcome).toMatch(isUsed ? /^connected to/ : /^(TypeError|not connected)/)
    expect(forge.asked.filter((line) => line.startsWith("DELETE"))).toEqual(
      isUsed ? [] : [`DELETE /api/v1/users/ann/tokens/7 ${basic}`, `DELETE ${oauth2}/9 ${basic}`]
    )
  }
})

test("an older connection without a client for sign-in gets one client", async () => {
  for (const [id, sent] of [
    [null, 1],
    ["client", 0]
  ] as const) {
    const { environment, forge, platform } = await startBoth([200, {}], (url) => [
      { uuid: "c", url, account: "ann", client_id: id }
    ])
    expect(await introduction(environment, directory)?.run(signal)).toMatch(/^connected to/)
    expect(forge.asked.filter((line) => line.startsWith(`POST ${oauth2}`)).length).toBe(sent)
    expect(platform.asked.filter((line) => line.startsWith("PATCH"))).toEqual(
      id === null
        ? [
            expect.stringMatching(
              /^PATCH \/api\/v1\/forge-connections\/c Bearer \S+ \{"client_id":"client","client_secret":"sealed"\}$/
            )
          ]
        : []
    )
  }
})

test("a later start without the password still allows the forge to call the platform", async () => {
  const { environment, forge, platform } = await startBoth()
  await introduction(environment, directory)?.run(signal)
  mkdirSync(join(directory, ".slipway", "deploy"))
  const { FORGE_ADMIN_PASSWORD: _, ...later } = environment
  const asked = forge.asked.length + platform.asked.length
  const planned = introduction(later, directory)
  expect(planned?.settings).toEqual({
    forge: {
      FORGE_ALLOWED_ADDRESSES: `127.0.0.1:${platform.port}`,
      FORGE_DEPLOY_URL: `http://127.0.0.1:${platform.port}`
    },
    deploy: {}
  })
  expect(await planned?.run(signal)).toBeUndefined()
  expect(forge.asked.length + platform.asked.length).toBe(asked)
})

test("a first start without the password logs how to connect, and later ones do nothing", async () => {
  const { environment, forge, platform } = await startBoth()
  const { FORGE_ADMIN_PASSWORD: _, ...chosen } = environment
  const planned = introduction(chosen, directory)
  expect(planned?.settings).toEqual({})
  expect(await planned?.run(signal)).toBe(
    "not connected to the forge: set FORGE_ADMIN_PASSWORD and DEPLOY_TOKEN at one start (docs/guides/push-to-live.md)"
  )
  expect([...forge.asked, ...platform.asked]).toEqual([])
  mkdirSync(join(directory, ".slipway", "deploy"), { recursive: true })
  expect(introduction(chosen, directory)).toBeUndefined()
})

test("a connection that failed is tried again with the same token at the next start", async () => {
  let answer: readonly [number, unknown] = [500, {}]
  const { environment } = await startBoth([201, {}])
  const failing = await start((line) => (line.startsWith("GET") ? [200, []] : answer))
  const chosen = { ...environment, DEPLOY_PORT: failing.port }
  expect(await introduction(chosen, directory)?.run(signal)).toBe("not connected: {}")
  const { token } = JSON.parse(readFileSync(file(), "utf8"))
  mkdirSync(join(directory, ".slipway", "deploy"))
  answer = [201, { uuid: "u" }]
  const planned = introduction(chosen, directory)
  expect(planned?.settings.deploy).toEqual({ DEPLOY_TOKEN: token })
  expect(await planned?.run(signal)).toMatch(/^connected to/)
  expect(JSON.parse(readFileSync(file(), "utf8"))).toMatchObject({ token, isConnected: true })
  expect(await introduction(chosen, directory)?.run(signal)).toBeUndefined()
})

test("a systemd unit on a database server is connected once, in its state directory, at the public addresses", async () => {
  const { environment, platform } = await startBoth()
  const publicForge = await start(() => [200, {}])
  const state = join(directory, "state")
  const chosen = {
    ...environment,
    DATABASE_URL: "postgres://slipway@127.0.0.1:5432/slipway",
    STATE_DIRECTORY: `${state}:/var/lib/other`,
    FORGE_ROOT_URL: `http://127.0.0.1:${publicForge.port}`,
    DEPLOY_URL: "https://deploy.example"
  }
  const planned = introduction(chosen, directory)
  expect(planned?.settings.forge).toEqual({
    FORGE_ALLOWED_ADDRESSES: `127.0.0.1:${platform.port}`,
    FORGE_DEPLOY_URL: "https://deploy.example"
  })
  expect(await planned?.run(signal)).toBe(`connected to http://127.0.0.1:${publicForge.port} as ann`)
  const sent = JSON.parse(platform.asked[1]?.replace(/^[^{]*/, "") ?? "")
  expect(sent).toMatchObject({
    url: `http://127.0.0.1:${publicForge.port}`,
    platform_url: `http://127.0.0.1:${platform.port}`
  })
  const stored = readFileSync(join(state, "deploy.json"), "utf8")
  expect(JSON.parse(stored)).toMatchObject({ token: planned?.settings.deploy?.DEPLOY_TOKEN, isConnected: true })
  expect(statSync(join(state, "deploy.json")).mode & 0o777).toBe(0o600)
  const later = introduction(chosen, directory)
  expect([later?.settings.deploy, await later?.run(signal)]).toEqual([{}, undefined])
  expect(platform.asked.length).toBe(2)
})

test("only addresses that a forge accepts for browsers are registered", () => {
  const callbacks = (platform: string, platformUrl: string) => callbacksOf({ platform, platformUrl })
  // The address of the platform in the network of the containers, which only they reach.
  const inside = "http://10.90.0.1:8000"
  expect(callbacks(inside, "https://deploy.example/")).toEqual(["https://deploy.example/auth/oidc/callback"])
  expect(callbacks(inside, inside)).toEqual([])
  expect(callbacks("http://127.0.0.1:8000", "http://127.0.0.1:8000")).toEqual([
    "http://127.0.0.1:8000/auth/oidc/callback",
    "http://localhost:8000/auth/oidc/callback"
  ])
})

test("the program for containers connects once, and exits with an error that names a missing variable", async () => {
  const { environment, forge, platform } = await startBoth()
  const run = (variables: Record<string, string>) =>
    new Promise<readonly [code: number | null, text: string]>((resolve) => {
      const program = spawn(process.execPath, [join(import.meta.dirname, "..", "connect-services.ts")], {
        env: { PATH: process.env.PATH, ...variables }
      })
      let text = ""
      for (const stream of [program.stdout, program.stderr]) stream.on("data", (chunk) => (text += chunk))
      program.on("close", (code) => resolve([code, text]))
    })
  const variables = {
    FORGE_ROOT_URL: `http://127.0.0.1:${forge.port}`,
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: "secret",
    FORGE_SSH_PORT: "22",
    DEPLOY_PORT: environment.DEPLOY_PORT,
    DEPLOY_TOKEN: "root"
  }
  expect(await run(variables)).toEqual([0, `Slipway deploy is connected to http://127.0.0.1:${forge.port} as ann\n`])
  expect(platform.asked[0]).toBe("GET /api/v1/forge-connections Bearer root")
  expect(JSON.parse(platform.asked[1]?.replace(/^[^{]*/, "") ?? "")).toMatchObject({ token: "narrow", ssh_port: 22 })
  const { DEPLOY_TOKEN: _, ...without } = variables
  expect(await run(without)).toEqual([
    1,
    "Slipway deploy is not connected: set DEPLOY_TOKEN (docs/guides/production.md)\n"
  ])
  expect(platform.asked.length).toBe(2)
})

test("services without a known address are not connected", () => {
  expect(introduction({ FORGE_ADMIN_PASSWORD: "secret", DEPLOY_PORT: "0" }, directory)).toBeUndefined()
  expect(introduction({ FORGE_ADMIN_PASSWORD: "secret", HOST: "0.0.0.0" }, directory)).toBeUndefined()
})
