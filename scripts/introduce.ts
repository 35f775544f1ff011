import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The environment of a start. */
type Environment = Readonly<Record<string, string | undefined>>

/** What `slipway deploy` needs to call the platform of this clone. */
export interface LocalAccess {
  readonly url: string
  readonly token: string
  /** The domain below which applications of this machine are served, with the port of the proxy. */
  readonly domain: string
}

/** The settings that introduce both services to each other, and the work to do once they listen. */
export interface Introduction {
  /** Additional variables of each service. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Connects the platform to the forge; returns a line about the result. */
  readonly run: (signal: AbortSignal) => Promise<string | undefined>
}

const scopes = ["write:repository", "write:issue", "read:user"]

const addressOf = (environment: Environment, name: string, port: string): string | undefined => {
  const chosen = environment[`${name}_PORT`] || port
  const host = environment.HOST || "127.0.0.1"
  if (chosen === "0" || host === "0.0.0.0" || host === "::") return undefined
  return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${chosen}`).origin
}

const databaseOf = (environment: Environment): string =>
  environment.DEPLOY_DATABASE_URL || environment.DATABASE_URL || "file:.slipway/deploy"

const readAccess = (path: string): LocalAccess | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as LocalAccess) : undefined

const proxyPortOf = (environment: Environment): string => {
  const [first = ""] = (environment.DEPLOY_PROXY_HTTP || "").split(",")
  const port = /(?:^|:)(\d+)\s*$/.exec(first)?.[1] ?? "80"
  return port === "80" ? "" : `:${port}`
}

/** Returns the port of the forge's SSH server; null if it is off, or any free port. */
const sshPortOf = (environment: Environment): number | null => {
  const port = environment.FORGE_SSH_PORT || "2222"
  return /^[1-9]\d*$/.test(port) ? Number(port) : null
}

/** Polls until a service is ready; false if it is not within a minute, or the signal aborts. */
const isReady = async (url: string, signal: AbortSignal): Promise<boolean> => {
  const until = Date.now() + 60_000
  while (!signal.aborted && Date.now() < until) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (answer?.ok === true) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

const send = async (method: string, url: string, authorization: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

interface Connecting {
  readonly forge: string
  readonly platform: string
  readonly administrator: string
  readonly password: string
  readonly sshPort: number | null
  readonly token: string
}

interface Connection {
  readonly uuid: string
  readonly url: string
  readonly account: string
  readonly client_id: string | null
}

/** The platform as an OAuth2 client of the forge, with which people sign in. */
interface SignInClient {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

/** Returns the addresses to which the forge may send browsers back; both names of a loopback address. */
const callbacksOf = (platform: string): ReadonlyArray<string> => {
  const { hostname, port } = new URL(platform)
  const names = hostname === "127.0.0.1" ? [platform, `http://localhost:${port}`] : [platform]
  return names.map((origin) => `${new URL(origin).origin}/auth/oidc/callback`)
}

/** Registers the platform as an OAuth2 client of the forge; undefined if the forge refuses. */
const register = async (applications: string, platform: string, basic: string): Promise<SignInClient | undefined> => {
  // Each person consents once, at the first sign-in.
  const made = await send("POST", applications, basic, {
    name: "Slipway deploy",
    redirect_uris: callbacksOf(platform),
    confidential_client: true,
    skip_secondary_authorization: true
  })
  return made.ok ? ((await made.json()) as SignInClient) : undefined
}

const withClient = (client: SignInClient | undefined) =>
  client === undefined ? {} : { client_id: client.client_id, client_secret: client.client_secret }

/**
 * Connects the platform to the forge with a narrow token of the administrator, unless it is connected, and lets the
 * people of the forge sign in to the platform.
 */
const connect = async ({ administrator, forge, password, platform, sshPort, token }: Connecting): Promise<string> => {
  const bearer = `Bearer ${token}`
  const basic = `Basic ${Buffer.from(`${administrator}:${password}`).toString("base64")}`
  const connections = `${platform}/api/v1/forge-connections`
  const present = await send("GET", connections, bearer)
  if (!present.ok) return `not connected: the platform answers ${present.status}`
  const all = (await present.json()) as ReadonlyArray<Connection>
  const found = all.find(({ url }) => url === forge)
  const applications = `${forge}/api/v1/user/applications/oauth2`
  if (found !== undefined) {
    const client = found.client_id === null ? await register(applications, platform, basic) : undefined
    if (client !== undefined) {
      const changed = await send("PATCH", `${connections}/${found.uuid}`, bearer, withClient(client))
      if (!changed.ok) await send("DELETE", `${applications}/${client.id}`, basic)
    }
    return `connected to ${forge} as ${found.account}`
  }
  const tokens = `${forge}/api/v1/users/${encodeURIComponent(administrator)}/tokens`
  const name = `deployment platform ${new Date().toISOString()}`
  const minted = await send("POST", tokens, basic, { name, scopes })
  if (!minted.ok) return `not connected: the forge answers ${minted.status} to a token request of ${administrator}`
  const { id, sha1 } = (await minted.json()) as { readonly id: number; readonly sha1: string }
  const client = await register(applications, platform, basic)
  const body = {
    name: "forge",
    url: forge,
    token: sha1,
    platform_url: platform,
    ssh_port: sshPort,
    ...withClient(client)
  }
  const connected = await send("POST", connections, bearer, body)
  if (connected.ok) return `connected to ${forge} as ${administrator}`
  await send("DELETE", `${tokens}/${id}`, basic)
  if (client !== undefined) await send("DELETE", `${applications}/${client.id}`, basic)
  return `not connected: ${await connected.text()}`
}

const unconnected =
  "not connected to the forge: set FORGE_ADMIN_PASSWORD and DEPLOY_TOKEN at one start (docs/guides/push-to-live.md)"

/**
 * Plans the introduction of both services; undefined if one has no known address, or if a later start has nothing to
 * do.
 *
 * It needs the password of the forge's administrator once. Every later start lets the forge send webhooks to the
 * platform again. The platform's root token is `DEPLOY_TOKEN`, or a new one if the platform starts for the first time.
 * It is stored in `.slipway/deploy.json`, which only its owner can read, for `slipway deploy`. Later starts change
 * neither, so that revoked tokens stay revoked and deleted connections stay deleted.
 */
export const introduction = (environment: Environment, directory: string): Introduction | undefined => {
  const password = environment.FORGE_ADMIN_PASSWORD
  const forge = addressOf(environment, "FORGE", "3000")
  const platform = addressOf(environment, "DEPLOY", "8000")
  if (forge === undefined || platform === undefined) return undefined
  const folder = join(directory, ".slipway")
  const path = join(folder, "deploy.json")
  const database = databaseOf(environment)
  const isMemory = database === "memory:"
  const isFirst = isMemory || (database === "file:.slipway/deploy" && !existsSync(join(folder, "deploy")))
  const stored = isFirst ? undefined : readAccess(path)
  const areReady = async (signal: AbortSignal) =>
    (await Promise.all([isReady(forge, signal), isReady(platform, signal)])).every(Boolean)
  if (!password && stored === undefined) {
    return isFirst
      ? { settings: {}, run: async (signal) => ((await areReady(signal)) ? unconnected : undefined) }
      : undefined
  }
  const token = environment.DEPLOY_TOKEN || (isFirst ? randomBytes(32).toString("base64url") : undefined)
  const settings = {
    forge: {
      FORGE_ALLOWED_ADDRESSES: environment.FORGE_ALLOWED_ADDRESSES || new URL(platform).host,
      FORGE_DEPLOY_URL: environment.FORGE_DEPLOY_URL || platform
    },
    deploy: token === undefined ? {} : { DEPLOY_TOKEN: token }
  }
  // Without a token, the platform has been introduced before, or is not this clone's to introduce.
  if (!password || token === undefined || stored?.token === token) return { settings, run: async () => undefined }
  return {
    settings,
    run: async (signal) => {
      if (!(await areReady(signal))) return undefined
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      rmSync(path, { force: true })
      const access: LocalAccess = { url: platform, token, domain: `localhost${proxyPortOf(environment)}` }
      writeFileSync(path, `${JSON.stringify(access)}\n`, { mode: 0o600 })
      const administrator = environment.FORGE_ADMIN_USERNAME || "slipway"
      return connect({ forge, platform, administrator, password, sshPort: sshPortOf(environment), token })
    }
  }
}
