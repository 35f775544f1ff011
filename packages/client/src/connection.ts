import { ConnectionError, ServiceError } from "./errors.ts"

/** A body that is sent unchanged, such as a file or a form. */
export type Raw = NonNullable<RequestInit["body"]>

/** The options of one call, in addition to its input. */
export interface CallOptions {
  /** Aborts the call, including the waits between attempts. */
  readonly signal?: AbortSignal
  /** Headers of this request only. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The options of a client: the address of a service, credentials and retries. */
export interface ClientOptions {
  /** The service's address, such as `https://forge.example.com`. */
  readonly url: string
  /** An access token; without one, calls are anonymous. */
  readonly token?: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum number of retries of an idempotent request; 2 by default. */
  readonly retries?: number
  /** Maximum wait before a retry in seconds, 30 by default. If the service requests a longer one, there is no retry. */
  readonly longestWait?: number
  /** Sends a request; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** A request, before it has an address and credentials. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly search: URLSearchParams
  readonly body: Raw | undefined
  readonly isJson: boolean
  readonly repeats: boolean
}

/**
 * Sends a request, with retries of idempotent ones. Throws `ServiceError` for an error status that is not `expected`.
 */
export type Connection = (sent: Sent, options: CallOptions, expected: ReadonlyArray<number>) => Promise<Response>

/** Returns whether a request method is idempotent, as HTTP defines it. */
export const isRepeatable = (method: string): boolean => ["GET", "HEAD", "PUT", "DELETE"].includes(method)

const passing = [429, 502, 503, 504]

/** Returns the wait that the header `Retry-After` requests, in milliseconds. */
const asked = (response: Response | undefined): number | undefined => {
  const said = response?.headers.get("retry-after")
  if (said === null || said === undefined) return undefined
  const seconds = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now()
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })

const errorOf = async (response: Response): Promise<ServiceError> => {
  const text = await response.text()
  try {
    return new ServiceError(response.status, JSON.parse(text) as unknown)
  } catch {
    return new ServiceError(response.status, { message: text })
  }
}

/** Returns the query of the next page from the `Link` header of a page; its host and path are ignored. */
export const nextPage = (response: Response): URLSearchParams | undefined => {
  const link = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
  return link === undefined ? undefined : new URL(link, "http://localhost").searchParams
}

/** Connects to a service. */
export const connect = ({
  fetch: send = (request) => fetch(request),
  headers: always = {},
  longestWait = 30,
  retries = 2,
  token,
  url
}: ClientOptions): Connection => {
  const base = url.replace(/\/+$/, "")
  const requestOf = ({ body, isJson, method, path, search }: Sent, { headers, signal }: CallOptions): Request =>
    new Request(`${base}${path}${search.size === 0 ? "" : `?${search}`}`, {
      method,
      // A page's cookies would authenticate a call without a token.
      credentials: "omit",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...always,
        ...headers
      },
      ...(body === undefined ? {} : { body, duplex: "half" }),
      ...(signal === undefined ? {} : { signal })
    })
  return async (sent, options, expected) => {
    for (let left = sent.repeats ? retries : 0; ; left--) {
      let cause: unknown
      const response = await send(requestOf(sent, options)).catch((error: unknown) => {
        cause = error
        return undefined
      })
      if (response !== undefined && (response.ok || expected.includes(response.status))) return response
      const longer = 100 * 2 ** (retries - left) * (1 + Math.random())
      const delay = asked(response) ?? longer
      const mayPass = response === undefined || passing.includes(response.status)
      if (left > 0 && mayPass && delay <= longestWait * 1000 && options.signal?.aborted !== true) {
        await response?.body?.cancel()
        await wait(delay, options.signal).catch((reason: unknown) => {
          throw new ConnectionError("the call was aborted", { cause: reason })
        })
        continue
      }
      if (response !== undefined) throw await errorOf(response)
      throw new ConnectionError(options.signal?.aborted === true ? "the call was aborted" : "no response arrived", {
        cause
      })
    }
  }
}
