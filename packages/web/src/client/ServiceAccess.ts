import { AsyncLocalStorage } from "node:async_hooks"
import type { ClientOptions } from "@slipway/client/forge"

/** Names of the operations of a client's methods, such as `repository.branch.list`. */
export type OperationOf<M, Before extends string = ""> = {
  [K in keyof M & string]:
    | (M[K] extends (...args: never) => unknown ? `${Before}${K}` : never)
    | (M[K] extends object ? OperationOf<M[K], `${Before}${K}.`> : never)
}[keyof M & string]

/** Sends a request to the service: within this process, or by `fetch` to a remote one. */
export type Send = (request: Request) => Promise<Response>

/** Thrown when the service redirects a request, because the resource has a new address. */
export class Moved extends Error {
  readonly location: string
  constructor(location: string) {
    super(`moved to ${location}`)
    this.location = location
  }
}

/** Thrown when a page uses an operation that its route does not declare. */
export class UndeclaredOperation extends Error {}

/** The longest text that pages read, in bytes: a longer diff is cut. */
export const longestText = 4 * 1024 * 1024

/** The sender of one visit's requests, and the cookies that the service sets meanwhile. */
interface Sending {
  readonly send: Send
  readonly cookies: Array<string>
}

const sending = new AsyncLocalStorage<Sending>()

/** Returns a response with a body cut off after the longest text that pages read. */
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

/** Creates one client for all visits; each call goes through the `Send` of its visit. */
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

/** Returns the methods with a check: an operation that is not declared throws. */
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

/** The access of pages to a service. */
export interface ServiceAccess<M> {
  /** Runs a function in which all calls to the service use `send`. */
  readonly during: <A>(send: Send, run: () => Promise<A>) => Promise<A>
  /** Returns the cookies that the service set during the current run, such as that of a new session. */
  readonly cookies: () => ReadonlyArray<string>
  /** Returns the methods of declared operations; all other methods throw `UndeclaredOperation`. */
  readonly declaring: (operations: ReadonlyArray<string>) => M
}

/** Creates the access of pages to a service by its client. */
export const serviceAccess = <M extends object>(create: (options: ClientOptions) => M): ServiceAccess<M> => {
  const client = clientOf(create)
  return {
    during: (send, run) => sending.run({ send, cookies: [] }, run),
    cookies: () => sending.getStore()?.cookies ?? [],
    declaring: (operations) => limited(client, new Set(operations), "") as M
  }
}
