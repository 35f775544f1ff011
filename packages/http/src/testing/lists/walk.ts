import { setTimeout } from "node:timers/promises"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"

/** Sends a request, and returns the parsed response body. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>

/** Waits until a condition is true. */
export type Wait = (holds: () => Promise<boolean>) => Promise<void>

/** Polls a condition four times a second, for at most a minute. */
export const pollUntil: Wait = async (holds) => {
  for (let turn = 0; turn < 240 && !(await holds()); turn++) await setTimeout(250)
}

/** Returns the values of the parameters of a path, by parameter name. */
export type Names = (path: string) => Readonly<Record<string, string>>

/** A service on which sample resources are created. */
export interface SampledSite {
  readonly send: Send
  /** The number of existing rows of each kind. */
  readonly size: number
  /** An OpenPGP key of `ann@example.com`. */
  readonly openPgpKey: string
  /** Waits until the service has processed the samples in the background; `pollUntil` by default. */
  readonly until?: Wait
}

/** The paginated lists of a service, and how to request each of them. */
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

/** Returns the URL that requests the first thirty rows of a list. */
export const addressOf = (walk: Walk, path: string, names: Names): string => {
  const values = names(path)
  const named = path.replace(/\{(\w+)\}|\*/g, (whole, name) => values[name ?? whole] ?? whole)
  return `${named}?${new URLSearchParams(walk.query(path))}`
}
