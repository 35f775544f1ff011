import { setTimeout } from "node:timers/promises"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** Sends a request, and answers with what was said. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>

/** Waits until something holds. */
export type Wait = (holds: () => Promise<boolean>) => Promise<void>

/** Waits for a minute at the most. */
export const untilHolds: Wait = async (holds) => {
  for (let turn = 0; turn < 240 && !(await holds()); turn++) await setTimeout(250)
}

/** The things that parameters of paths name; where a name means several things, by what stands before it. */
export type Names = (path: string) => Readonly<Record<string, string>>

/** The site that samples of everything are made on. */
export interface SampledSite {
  readonly send: Send
  /** How much of everything it has already. */
  readonly size: number
  /** An OpenPGP key of `ann@example.com`. */
  readonly openPgpKey: string
  /** Waits for the service's own work on the samples; like `untilHolds` by default. */
  readonly until?: Wait
}

/** The lists of a service, and how each is asked for. */
export interface Walk {
  readonly service: "forge" | "deploy"
  /** The paths of all lists that have pages, without what they begin with. */
  readonly lists: ReadonlyArray<string>
  /** Makes one of everything that lists have, and waits for what the service does with it by itself. */
  readonly makeSamples: (site: SampledSite) => Promise<Names>
  /** Returns the query that requests the first thirty rows of a path. */
  readonly query: (path: string) => Readonly<Record<string, string>>
  readonly authorization: (path: string, token: string) => string
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name?: string }>
}

/** The parameters by which pages are asked for. */
const paging = new Set(["page", "take", "limit"])

/** Returns the paths that an API answers lists at, a page at a time. */
export const listsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> =>
  Object.entries(OpenApi.fromApi(api).paths).flatMap(([path, { get }]) => {
    const parameters = (get as Operation | undefined)?.parameters ?? []
    return parameters.some(({ name }) => paging.has(name ?? "")) ? [path.replace(/^\/api\/v1/, "")] : []
  })

/** Returns where the first thirty rows of a list are asked for. */
export const addressOf = (walk: Walk, path: string, names: Names): string => {
  const values = names(path)
  const named = path.replace(/\{(\w+)\}|\*/g, (whole, name) => values[name ?? whole] ?? whole)
  return `${named}?${new URLSearchParams(walk.query(path))}`
}
