import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type ApplicationUuid,
  type ProxyUnreachable,
  type RouteAddress,
  type Upstream,
  writeAddress
} from "@slipway/domain/deploy"
import { Effect } from "effect"

/** A directory that Caddy reads at every request, wherever it is. */
export interface Directory {
  /** Its path, as Caddy sees it. */
  readonly root: string
  /** The names of what lies in a directory below it, sorted; none when there is no such directory. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<string>, ProxyUnreachable>
  /** Makes an empty file, and the directories that it lies in. */
  readonly make: (path: string, file: string) => Effect.Effect<void, ProxyUnreachable>
  /** Removes files and directories with all that lies in them, as far as they are there. */
  readonly remove: (paths: ReadonlyArray<string>) => Effect.Effect<void, ProxyUnreachable>
}

/** A directory of this machine; what it can't do is a defect. */
export const localDirectory = (root: string): Directory => ({
  root,
  list: (path) =>
    Effect.sync(() => {
      try {
        return readdirSync(join(root, path)).sort()
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
        throw cause
      }
    }),
  make: (path, file) =>
    Effect.sync(() => {
      mkdirSync(join(root, path), { recursive: true })
      writeFileSync(join(root, path, file), "")
    }),
  remove: (paths) =>
    Effect.sync(() => {
      for (const path of paths) rmSync(join(root, path), { recursive: true, force: true })
    })
})

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

/** Where routes lead. */
export interface Pointers {
  readonly root: string
  /** Gives where a route leads; null is nowhere. */
  readonly pointed: (application: ApplicationUuid, slot: string) => Effect.Effect<Upstream | null, ProxyUnreachable>
  /** Lets a route lead to a container, or nowhere. */
  readonly point: (
    application: ApplicationUuid,
    slot: string,
    upstream: Upstream | null
  ) => Effect.Effect<void, ProxyUnreachable>
  /** Lets all routes of an application lead nowhere, but these. */
  readonly forget: (application: ApplicationUuid, but: ReadonlySet<string>) => Effect.Effect<void, ProxyUnreachable>
  /** Lists the applications that have routes here. */
  readonly applications: Effect.Effect<ReadonlyArray<ApplicationUuid>, ProxyUnreachable>
}

/**
 * Switches containers without telling Caddy, whose every new configuration closes the idle connections of all callers.
 *
 * A directory for each route holds files named `<countdown>@<host>:<port>`. Caddy takes the first by name, which is the
 * newest, at every request. The one before it stays until the next switch, for requests that have just chosen it.
 */
export const pointersIn = ({ list, make, remove, root }: Directory): Pointers => {
  const targetIn = (files: ReadonlyArray<string>) => (files[0] === undefined ? null : upstreamOf(files[0]))
  return {
    root,
    pointed: (application, slot) => Effect.map(list(`${application}/${slot}`), targetIn),
    point: Effect.fnUntraced(function* (application, slot, upstream) {
      const directory = `${application}/${slot}`
      if (upstream === null) return yield* remove([directory])
      const files = yield* list(directory)
      const present = targetIn(files)
      if (present !== null && dialOf(present) === dialOf(upstream)) return
      const countdown = (files[0] === undefined ? start : Number.parseInt(files[0], 10)) - 1
      yield* make(directory, `${String(countdown).padStart(12, "0")}@${dialOf(upstream)}`)
      const old = files.slice(kept - 1).map((file) => `${directory}/${file}`)
      if (old.length > 0) yield* remove(old)
    }),
    forget: Effect.fnUntraced(function* (application, but) {
      if (but.size === 0) return yield* remove([application])
      const slots = (yield* list(application)).filter((slot) => !but.has(slot))
      if (slots.length > 0) yield* remove(slots.map((slot) => `${application}/${slot}`))
    }),
    applications: Effect.map(list(""), (names) => names as ReadonlyArray<ApplicationUuid>)
  }
}
