import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect, isReady } from "./connect-services.ts"

/** The environment of a start. */
type Environment = Readonly<Record<string, string | undefined>>

/** What `slipway deploy` needs to call the platform of this clone. */
export interface LocalAccess {
  readonly url: string
  readonly token: string
  /** The domain below which applications of this machine are served, with the port of the proxy. */
  readonly domain: string
  /** False until the platform is connected to the forge; a later start with the password then tries again. */
  readonly isConnected?: boolean
}

/** The settings that introduce both services to each other, and the work to do once they listen. */
export interface Introduction {
  /** Additional variables of each service. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Connects the platform to the forge; returns a line about the result. */
  readonly run: (signal: AbortSignal) => Promise<string | undefined>
}

const addressOf = (environment: Environment, name: string, port: string): string | undefined => {
  const chosen = environment[`${name}_PORT`] || port
  const host = environment.HOST || "127.0.0.1"
  if (chosen === "0" || host === "0.0.0.0" || host === "::") return undefined
  return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${chosen}`).origin
}

/** Returns the public address of a service; undefined if it is not set, or damaged. */
const publicOf = (environment: Environment, name: string): string | undefined => {
  const text = environment[name] || ""
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** Returns the folder with the state of this installation: that of a systemd unit, or the one of a clone. */
const folderOf = (environment: Environment, directory: string): string => {
  const [first = ""] = (environment.STATE_DIRECTORY || "").split(":")
  return first === "" ? join(directory, ".slipway") : first
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

const unconnected =
  "not connected to the forge: set FORGE_ADMIN_PASSWORD and DEPLOY_TOKEN at one start (docs/guides/push-to-live.md)"

/**
 * Plans the introduction of both services; undefined if one has no known address, or if a later start has nothing to
 * do.
 *
 * It needs the password of the forge's administrator once. Every later start lets the forge send webhooks to the
 * platform again. The platform's root token is `DEPLOY_TOKEN`, or a new one if the platform starts for the first time,
 * or if a systemd unit has no token yet. It is stored in `deploy.json` in `.slipway` or in the state directory of the
 * unit, which only its owner can read, for `slipway deploy`. Later starts change neither, so that revoked tokens stay
 * revoked and deleted connections stay deleted; only a connection that failed is tried again.
 */
export const introduction = (environment: Environment, directory: string): Introduction | undefined => {
  const password = environment.FORGE_ADMIN_PASSWORD
  const forge = addressOf(environment, "FORGE", "3000")
  const platform = addressOf(environment, "DEPLOY", "8000")
  if (forge === undefined || platform === undefined) return undefined
  const folder = folderOf(environment, directory)
  const path = join(folder, "deploy.json")
  const database = databaseOf(environment)
  const isMemory = database === "memory:"
  const isEmpty = isMemory || (database === "file:.slipway/deploy" && !existsSync(join(folder, "deploy")))
  const stored = isEmpty ? undefined : readAccess(path)
  const isFirst = isEmpty || (environment.STATE_DIRECTORY !== undefined && stored === undefined)
  const platformUrl = publicOf(environment, "DEPLOY_URL") ?? platform
  const forgeUrl = publicOf(environment, "FORGE_ROOT_URL") ?? forge
  const areReady = async (signal: AbortSignal) =>
    (await Promise.all([forge, forgeUrl, platform].map((url) => isReady(url, signal)))).every(Boolean)
  if (!password && stored === undefined) {
    return isEmpty
      ? { settings: {}, run: async (signal) => ((await areReady(signal)) ? unconnected : undefined) }
      : undefined
  }
  const isUnfinished = stored?.isConnected === false
  const token =
    environment.DEPLOY_TOKEN ||
    (isFirst ? randomBytes(32).toString("base64url") : isUnfinished ? stored.token : undefined)
  const settings = {
    forge: {
      FORGE_ALLOWED_ADDRESSES: environment.FORGE_ALLOWED_ADDRESSES || new URL(platform).host,
      FORGE_DEPLOY_URL: environment.FORGE_DEPLOY_URL || platformUrl
    },
    deploy: token === undefined ? {} : { DEPLOY_TOKEN: token }
  }
  // Without a token, the platform has been introduced before, or is not this clone's to introduce.
  const isDone = stored?.token === token && !isUnfinished
  if (!password || token === undefined || isDone) return { settings, run: async () => undefined }
  const access: LocalAccess = { url: platform, token, domain: `localhost${proxyPortOf(environment)}` }
  const store = (isConnected: boolean) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(path, { force: true })
    writeFileSync(path, `${JSON.stringify({ ...access, isConnected })}\n`, { mode: 0o600 })
  }
  return {
    settings,
    run: async (signal) => {
      // Before the services answer: a start that is killed now must not lose the token that the platform has stored.
      store(false)
      if (!(await areReady(signal))) return undefined
      const administrator = environment.FORGE_ADMIN_USERNAME || "slipway"
      const addresses = { forge, forgeUrl, platform, platformUrl }
      const sshPort = sshPortOf(environment)
      const { isConnected, line } = await connect({ ...addresses, administrator, password, sshPort, token })
      if (isConnected) store(true)
      return line
    }
  }
}
