/** Connects a deployment platform to a forge once, with the password of the forge's administrator. */
const scopes = ["write:repository", "write:issue", "read:user"]

/** Polls until a service is ready; false if it is not within a time in milliseconds, or the signal aborts. */
export const isReady = async (url: string, signal: AbortSignal, within = 60_000): Promise<boolean> => {
  const until = Date.now() + within
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

/** The addresses and the credentials of two services that are connected. */
export interface Connecting {
  /** The address at which this program calls the forge. */
  readonly forge: string
  /** The address of the forge in browsers, at which the platform calls it. */
  readonly forgeUrl: string
  /** The address at which this program and the forge call the platform. */
  readonly platform: string
  /** The address of the platform in browsers. */
  readonly platformUrl: string
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

/** Returns whether a forge accepts an address as one of an OAuth2 client: by TLS, or a loopback address. */
const isCallback = (origin: string): boolean => {
  const { hostname, protocol } = new URL(origin)
  return protocol === "https:" || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Returns the addresses to which the forge may send browsers back; both names of a loopback address. */
export const callbacksOf = ({
  platform,
  platformUrl
}: Pick<Connecting, "platform" | "platformUrl">): ReadonlyArray<string> => {
  const { hostname, port } = new URL(platform)
  const names = hostname === "127.0.0.1" ? [platform, `http://localhost:${port}`] : [platform]
  const allowed = [...new Set([platformUrl, ...names])].filter(isCallback)
  return allowed.map((origin) => `${new URL(origin).origin}/auth/oidc/callback`)
}

/** Registers the platform as an OAuth2 client of the forge; undefined without an address, or if the forge refuses. */
const register = async (
  applications: string,
  connecting: Connecting,
  basic: string
): Promise<SignInClient | undefined> => {
  const callbacks = callbacksOf(connecting)
  if (callbacks.length === 0) return undefined
  // Each person consents once, at the first sign-in.
  const response = await send("POST", applications, basic, {
    name: "Slipway deploy",
    redirect_uris: callbacks,
    confidential_client: true,
    skip_secondary_authorization: true
  })
  return response.ok ? ((await response.json()) as SignInClient) : undefined
}

const withClient = (client: SignInClient | undefined) =>
  client === undefined ? {} : { client_id: client.client_id, client_secret: client.client_secret }

/** Returns whether an account administers the forge. */
const isAdministrator = async (forge: string, basic: string): Promise<boolean> => {
  const response = await send("GET", `${forge}/api/v1/user`, basic)
  return response.ok && ((await response.json()) as { readonly is_admin?: boolean }).is_admin === true
}

/** Whether the services are connected, and a line about it. */
export interface Connected {
  readonly isConnected: boolean
  readonly line: string
}

/** Returns why a platform refuses to make an owner of the administrator; undefined if it refuses nothing or more. */
const grantRefusal = async (response: Response): Promise<string | undefined> => {
  if (response.status !== 400) return undefined
  const { errors = {} } = (await response.clone().json()) as { readonly errors?: Readonly<Record<string, unknown>> }
  return Object.keys(errors).join() === "grant_owner" ? String(errors.grant_owner) : undefined
}

/**
 * Connects the platform to the forge with a narrow token of the administrator, unless it is connected, and lets the
 * people of the forge sign in to the platform. An administrator without an account on the platform becomes an owner of
 * its root team.
 */
export const connect = async (connecting: Connecting): Promise<Connected> => {
  const { administrator, forge, forgeUrl, password, platform, sshPort, token } = connecting
  const failed = (why: string): Connected => ({ isConnected: false, line: `not connected: ${why}` })
  const noSignIn =
    callbacksOf(connecting).length === 0
      ? "; people cannot sign in through it until DEPLOY_URL is an https address"
      : ""
  const connectedAs = (account: string): Connected => ({
    isConnected: true,
    line: `connected to ${forgeUrl} as ${account}${noSignIn}`
  })
  const bearer = `Bearer ${token}`
  const basic = `Basic ${Buffer.from(`${administrator}:${password}`).toString("base64")}`
  const connections = `${platform}/api/v1/forge-connections`
  const present = await send("GET", connections, bearer)
  if (!present.ok) return failed(`the platform answers ${present.status}`)
  const all = (await present.json()) as ReadonlyArray<Connection>
  const found = all.find(({ url }) => url === forgeUrl)
  const applications = `${forge}/api/v1/user/applications/oauth2`
  if (found !== undefined) {
    const client = found.client_id === null ? await register(applications, connecting, basic) : undefined
    if (client !== undefined) {
      const changed = await send("PATCH", `${connections}/${found.uuid}`, bearer, withClient(client))
      if (!changed.ok) await send("DELETE", `${applications}/${client.id}`, basic)
    }
    return connectedAs(found.account)
  }
  const tokens = `${forge}/api/v1/users/${encodeURIComponent(administrator)}/tokens`
  const name = `deployment platform ${new Date().toISOString()}`
  const minted = await send("POST", tokens, basic, { name, scopes })
  if (!minted.ok) return failed(`the forge answers ${minted.status} to a token request of ${administrator}`)
  const { id, sha1 } = (await minted.json()) as { readonly id: number; readonly sha1: string }
  let client: SignInClient | undefined
  const undo = async (): Promise<void> => {
    await send("DELETE", `${tokens}/${id}`, basic)
    if (client !== undefined) await send("DELETE", `${applications}/${client.id}`, basic)
  }
  try {
    client = await register(applications, connecting, basic)
    const plain = {
      name: "forge",
      url: forgeUrl,
      token: sha1,
      platform_url: platform,
      ssh_port: sshPort,
      ...withClient(client)
    }
    const grant = client !== undefined && (await isAdministrator(forge, basic)) ? { grant_owner: true } : {}
    let connected = await send("POST", connections, bearer, { ...plain, ...grant })
    if (connected.ok) return connectedAs(administrator)
    const refusal = await grantRefusal(connected)
    if (refusal !== undefined) {
      connected = await send("POST", connections, bearer, plain)
      const { isConnected, line } = connectedAs(administrator)
      if (connected.ok)
        return { isConnected, line: `${line}; ${administrator} is no owner of the platform: ${refusal}` }
    }
    await undo()
    return failed(await connected.text())
  } catch (error) {
    // A request without a response may have succeeded: then the connection uses the token and the client.
    const after = await send("GET", connections, bearer)
    const listed = after.ok ? ((await after.json()) as ReadonlyArray<Connection>) : undefined
    if (listed?.some(({ url }) => url === forgeUrl)) return connectedAs(administrator)
    if (listed !== undefined) await undo()
    throw error
  }
}

const required = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  throw new Error(`set ${name}`)
}

const main = async (): Promise<number> => {
  const signal = AbortSignal.timeout(600_000)
  const forgeUrl = new URL(required("FORGE_ROOT_URL")).origin
  const platform = `http://${process.env.HOST || "127.0.0.1"}:${process.env.DEPLOY_PORT || "8000"}`
  const platformUrl = new URL(process.env.DEPLOY_URL || platform).origin
  const password = required("FORGE_ADMIN_PASSWORD")
  const token = required("DEPLOY_TOKEN")
  const sshPort = /^[1-9]\d*$/.test(process.env.FORGE_SSH_PORT ?? "") ? Number(process.env.FORGE_SSH_PORT) : null
  for (const url of [forgeUrl, platform]) {
    if (!(await isReady(url, signal, 600_000))) throw new Error(`${url} is not ready`)
  }
  const administrator = process.env.FORGE_ADMIN_USERNAME || "slipway"
  const addresses = { forge: forgeUrl, forgeUrl, platform, platformUrl }
  const { isConnected, line } = await connect({ ...addresses, administrator, password, sshPort, token })
  process.stdout.write(`Slipway deploy is ${line}\n`)
  return isConnected ? 0 : 1
}

if (import.meta.main) {
  process.exitCode = await main().catch((error: Error) => {
    process.stderr.write(`Slipway deploy is not connected: ${error.message} (docs/guides/production.md)\n`)
    return 1
  })
}
