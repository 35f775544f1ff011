import { setTimeout } from "node:timers/promises"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** Sends a request, and returns the answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>

/** Waits until a condition holds. */
export type Wait = (holds: () => Promise<boolean>) => Promise<void>

/** Waits for at most a minute. */
export const pollUntil: Wait = async (holds) => {
  for (let turn = 0; turn < 240 && !(await holds()); turn++) await setTimeout(250)
}

/** Returns the values of path parameters; for an ambiguous parameter, by the segment before it. */
export type Names = (path: string) => Readonly<Record<string, string>>

/** The site on which samples of everything are created. */
export interface SampledSite {
  readonly send: Send
  /** The number of existing rows of each kind. */
  readonly size: number
  /** An OpenPGP key of `ann@example.com`. */
  readonly openPgpKey: string
  /** Waits until the service has processed the samples in the background; `pollUntil` by default. */
  readonly until?: Wait
}

/** The lists of a service, and how to request each. */
export interface Walk {
  readonly service: "forge" | "deploy"
  /** The paths of all paginated lists, without their prefix. */
  readonly lists: ReadonlyArray<string>
  /** Creates one sample of each listed resource, and waits until the service has processed it in the background. */
  readonly makeSamples: (site: SampledSite) => Promise<Names>
  /** Returns the query that requests the first thirty rows of a path. */
  readonly query: (path: string) => Readonly<Record<string, string>>
  readonly authorization: (path: string, token: string) => string
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name?: string }>
}

/** The parameters that request a page. */
const paging = new Set(["page", "take", "limit"])

/** Returns the paths of an API's paginated lists. */
export const listsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> =>
  Object.entries(OpenApi.fromApi(api).paths).flatMap(([path, { get }]) => {
    const parameters = (get as Operation | undefined)?.parameters ?? []
    return parameters.some(({ name }) => paging.has(name ?? "")) ? [path.replace(/^\/api\/v1/, "")] : []
  })

/** Returns the address of the first thirty rows of a list. */
export const addressOf = (walk: Walk, path: string, names: Names): string => {
  const values = names(path)
  const named = path.replace(/\{(\w+)\}|\*/g, (whole, name) => values[name ?? whole] ?? whole)
  return `${named}?${new URLSearchParams(walk.query(path))}`
}
