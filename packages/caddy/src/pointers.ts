import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ApplicationUuid, type RouteAddress, type Upstream, writeAddress } from "@slipway/domain/deploy"

/**
 * Where containers are switched without telling Caddy, whose every new configuration closes the connections of all.
 *
 * A directory for each route holds files named `<countdown>@<host>:<port>`. Caddy takes the first by name, which is the
 * newest, at every request. The one before it stays until the next switch, for requests that have just chosen it.
 */
export interface Pointers {
  readonly root: string
}

const start = 10 ** 12
const kept = 2

/** Returns the name of the directory of a route. */
export const slotOf = (address: RouteAddress): string =>
  createHash("sha256").update(writeAddress(address)).digest("hex").slice(0, 16)

/** Returns an upstream as it is dialled. */
export const dialOf = ({ host, port }: Upstream): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

const upstreamOf = (file: string): Upstream | null => {
  const [, host = "", port] = /^\d+@(.+):(\d+)$/.exec(file) ?? []
  return port === undefined ? null : { host: host.replace(/^\[|\]$/g, ""), port: Number(port) }
}

const entries = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory).sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
  }
}

/** Returns where a route leads; null is nowhere. */
export const pointed = ({ root }: Pointers, application: ApplicationUuid, slot: string): Upstream | null => {
  const [newest] = entries(join(root, application, slot))
  return newest === undefined ? null : upstreamOf(newest)
}

/** Lets a route lead to a container, or nowhere. */
export const point = (
  pointers: Pointers,
  application: ApplicationUuid,
  slot: string,
  upstream: Upstream | null
): void => {
  const directory = join(pointers.root, application, slot)
  if (upstream === null) return rmSync(directory, { recursive: true, force: true })
  const present = pointed(pointers, application, slot)
  if (present !== null && dialOf(present) === dialOf(upstream)) return
  mkdirSync(directory, { recursive: true })
  const [newest] = entries(directory)
  const countdown = (newest === undefined ? start : Number.parseInt(newest, 10)) - 1
  writeFileSync(join(directory, `${String(countdown).padStart(12, "0")}@${dialOf(upstream)}`), "")
  for (const old of entries(directory).slice(kept)) rmSync(join(directory, old), { force: true })
}

/** Removes the directories of an application but these. */
export const forget = ({ root }: Pointers, application: ApplicationUuid, but: ReadonlySet<string>): void => {
  for (const slot of entries(join(root, application))) {
    if (!but.has(slot)) rmSync(join(root, application, slot), { recursive: true, force: true })
  }
  if (but.size === 0) rmSync(join(root, application), { recursive: true, force: true })
}

/** Lists the applications that have directories. */
export const pointing = ({ root }: Pointers): ReadonlyArray<ApplicationUuid> =>
  entries(root) as ReadonlyArray<ApplicationUuid>
