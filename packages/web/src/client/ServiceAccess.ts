import { AsyncLocalStorage } from "node:async_hooks"
import type { ClientOptions } from "@slipway/client/forge"

/** The names of the operations that a client has as methods, such as `repository.branch.list`. */
export type OperationOf<M, Before extends string = ""> = {
  [K in keyof M & string]:
    | (M[K] extends (...args: never) => unknown ? `${Before}${K}` : never)
    | (M[K] extends object ? OperationOf<M[K], `${Before}${K}.`> : never)
}[keyof M & string]

/** Sends a request to the service: within this process, or by `fetch` to a remote one. */
export type Send = (request: Request) => Promise<Response>

/** Thrown when the service answers with a redirect, because the resource has a new URL. */
export class Moved extends Error {
  readonly location: string
  constructor(location: string) {
    super(`moved to ${location}`)
    this.location = location
  }
}

/** Thrown when a page uses an operation that its route does not declare. */
export class UndeclaredOperation extends Error {}

/** The maximum size in bytes of a text response that pages read. The rest is cut off, for example from a long diff. */
export const longestText = 4 * 1024 * 1024

/**
 * The data of one page request (visit): the function that sends API requests, and the cookies that the service has set.
 */
interface Sending {
  readonly send: Send
  readonly cookies: Array<string>
}

const sending = new AsyncLocalStorage<Sending>()

/** Returns a response with its text body cut off after `longestText` bytes. Other responses are unchanged. */
const bounded = (response: Response): Response => {
  if (response.body === null || !(response.headers.get("content-type") ?? "").startsWith("text/")) return response
  let left = longestText
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      controller.enqueue(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) controller.terminate()
    }
  })
  return new Response(response.body.pipeThrough(cut), response)
}

const redirects: ReadonlyArray<number> = [301, 302, 307, 308]

/** Creates one client for all page requests. Each call uses the `Send` function of the page request that makes it. */
const clientOf = <M>(create: (options: ClientOptions) => M): M =>
  create({
    url: "http://service.invalid",
    retries: 0,
    fetch: async (request) => {
      const current = sending.getStore()
      if (current === undefined) throw new Error("the service was called outside of a visit")
      const response = await current.send(request)
      current.cookies.push(...response.headers.getSetCookie())
      const location = response.headers.get("location")
      if (redirects.includes(response.status) && location !== null) throw new Moved(location)
      return bounded(response)
    }
  })

/**
 * Wraps the methods of a client with a check: calling an operation that is not declared throws `UndeclaredOperation`.
 */
const limited = (methods: object, declared: ReadonlySet<string>, before: string): object =>
  new Proxy(methods, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof name !== "string" || value === undefined || value === null) return value
      return limited(value, declared, `${before}${name}.`)
    },
    apply: (target, self, args) => {
      const operation = before.slice(0, -1)
      if (!declared.has(operation)) throw new UndeclaredOperation(`the page does not declare \`${operation}\``)
      return Reflect.apply(target as () => unknown, self, args)
    }
  })

/** Gives pages access to the API of a service. */
export interface ServiceAccess<M> {
  /** Runs a function in which all calls to the service use `send`. */
  readonly during: <A>(send: Send, run: () => Promise<A>) => Promise<A>
  /** Returns the cookies that the service set during the current run, such as that of a new session. */
  readonly cookies: () => ReadonlyArray<string>
  /** Returns the methods of declared operations; all other methods throw `UndeclaredOperation`. */
  readonly declaring: (operations: ReadonlyArray<string>) => M
}

/** Creates the API access of pages from the function that creates the client of the service. */
export const serviceAccess = <M extends object>(create: (options: ClientOptions) => M): ServiceAccess<M> => {
  const client = clientOf(create)
  return {
    during: (send, run) => sending.run({ send, cookies: [] }, run),
    cookies: () => sending.getStore()?.cookies ?? [],
    declaring: (operations) => limited(client, new Set(operations), "") as M
  }
}
