import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  type ProxyUnreachable,
  type RouteAddress,
  type Upstream,
  writeAddress
} from "@slipway/domain/deploy/containers"
import { Effect } from "effect"

/** A local or remote directory that Caddy reads at every request. All paths are relative to it. */
export interface Directory {
  /** The path of the directory, as it appears to Caddy. */
  readonly root: string
  /** The names of the subdirectories. */
  readonly directories: Effect.Effect<ReadonlyArray<string>, ProxyUnreachable>
  /** The paths of all files in the directory and its subdirectories; none if the directory is missing. */
  readonly files: (directory: string) => Effect.Effect<ReadonlyArray<string>, ProxyUnreachable>
  /** Creates empty files, and their parent directories. */
  readonly make: (
    files: ReadonlyArray<readonly [directory: string, file: string]>
  ) => Effect.Effect<void, ProxyUnreachable>
  /** Removes files and directories with their content; ignores missing ones. */
  readonly remove: (paths: ReadonlyArray<string>) => Effect.Effect<void, ProxyUnreachable>
}

const unlessMissing = <A>(read: () => ReadonlyArray<A>) =>
  Effect.sync(() => {
    try {
      return read()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
      throw cause
    }
  })

/** Returns access to a directory of this machine. Its failures are defects. */
export const localDirectory = (root: string): Directory => ({
  root,
  directories: unlessMissing(() => readdirSync(root)),
  files: (directory) =>
    unlessMissing(() =>
      readdirSync(join(root, directory), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [relative(root, join(entry.parentPath, entry.name))] : []
      )
    ),
  make: (files) =>
    Effect.sync(() => {
      for (const [directory, file] of files) {
        mkdirSync(join(root, directory), { recursive: true })
        writeFileSync(join(root, directory, file), "")
      }
    }),
  remove: (paths) =>
    Effect.sync(() => {
      for (const path of paths) rmSync(join(root, path), { recursive: true, force: true })
    })
})

const start = 10 ** 12
const retainedCount = 2

/** Returns the name of the directory that contains a route's pointer files. */
export const slotOf = (address: RouteAddress): string =>
  createHash("sha256").update(writeAddress(address)).digest("hex").slice(0, 16)

/** Returns the address of an upstream as `host:port`; an IPv6 address is in brackets. */
export const dialOf = ({ host, port }: Upstream): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

const upstreamOf = (file: string): Upstream | null => {
  const [, host = "", port] = /^\d+@(.+):(\d+)$/.exec(file) ?? []
  return port === undefined ? null : { host: host.replace(/^\[|\]$/g, ""), port: Number(port) }
}

/** The targets (container addresses) of an application's routes, as read at one time. */
export interface Pointing {
  /** Returns the target of a route, given by its directory name; null if the route has none. */
  readonly pointed: (slot: string) => Upstream | null
  /** Sets the targets of routes; null removes a target. */
  readonly point: (targets: ReadonlyMap<string, Upstream | null>) => Effect.Effect<void, ProxyUnreachable>
  /** Removes the targets of all routes except those in `but`. */
  readonly forget: (but: ReadonlySet<string>) => Effect.Effect<void, ProxyUnreachable>
}

/** The storage for the targets (container addresses) of all routes. */
export interface Pointers {
  readonly root: string
  readonly of: (application: ApplicationUuid) => Effect.Effect<Pointing, ProxyUnreachable>
  /** Lists the applications that have pointer files. */
  readonly applications: Effect.Effect<ReadonlyArray<ApplicationUuid>, ProxyUnreachable>
}

/**
 * Stores the targets of routes in files that Caddy reads at every request.
 *
 * A switch to new containers thus needs no new configuration, which would close the idle connections of all clients.
 * Each route has a directory with files named `<countdown>@<host>:<port>`. Caddy uses the first file by name, which is
 * the newest. The previous file stays until the next switch, for requests that already selected it.
 */
export const pointersIn = ({ directories, files, make, remove, root }: Directory): Pointers => ({
  root,
  applications: Effect.map(directories, (names) => names as ReadonlyArray<ApplicationUuid>),
  of: (application) =>
    Effect.map(files(application), (paths) => {
      const slots = new Map<string, Array<string>>()
      for (const path of paths.toSorted()) {
        const [, slot = "", file = ""] = path.split("/")
        slots.set(slot, [...(slots.get(slot) ?? []), file])
      }
      const pointed = (slot: string) => {
        const newest = slots.get(slot)?.[0]
        return newest === undefined ? null : upstreamOf(newest)
      }
      return {
        pointed,
        point: Effect.fnUntraced(function* (targets) {
          const [links, gone]: [Array<readonly [string, string]>, Array<string>] = [[], []]
          for (const [slot, upstream] of targets) {
            const directory = `${application}/${slot}`
            const present = slots.get(slot) ?? []
            const target = pointed(slot)
            if (upstream === null) {
              slots.delete(slot)
              if (present.length > 0) gone.push(directory)
            } else if (target === null || dialOf(target) !== dialOf(upstream)) {
              const countdown = (present[0] === undefined ? start : Number.parseInt(present[0], 10)) - 1
              const file = `${String(countdown).padStart(12, "0")}@${dialOf(upstream)}`
              slots.set(slot, [file, ...present.slice(0, retainedCount - 1)])
              links.push([directory, file])
              gone.push(...present.slice(retainedCount - 1).map((old) => `${directory}/${old}`))
            }
          }
          if (links.length > 0) yield* make(links)
          if (gone.length > 0) yield* remove(gone)
        }),
        forget: Effect.fnUntraced(function* (but) {
          const gone = [...slots.keys()].filter((slot) => !but.has(slot))
          for (const slot of gone) slots.delete(slot)
          if (slots.size === 0) yield* gone.length === 0 ? Effect.void : remove([application])
          else if (gone.length > 0) yield* remove(gone.map((slot) => `${application}/${slot}`))
        })
      }
    })
})
