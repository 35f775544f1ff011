import type { EndpointTool } from "./definitions.ts"

/** The URL of a service, and the API token for requests to it. */
export interface ServiceAccess {
  /** The URL without the path of the API, such as `https://git.example`. */
  readonly url: string
  /** The API token; without a token, requests are anonymous. */
  readonly token?: string | undefined
  /** The function that sends requests; by default the global `fetch`. */
  readonly send?: ((request: Request) => Promise<Response>) | undefined
}

/** The response of a service. */
export interface Answer {
  readonly status: number
  readonly ok: boolean
  /** Parsed JSON, or a text. */
  readonly body: unknown
  /** The total number of rows of a list. */
  readonly total: number | undefined
}

/** The error for an invalid argument of a tool call. */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "ArgumentError"
  }
}

/** The arguments of a tool call. */
export type Arguments = Readonly<Record<string, unknown>>

const segment = (name: string, value: unknown): string => {
  if (typeof value !== "string" && typeof value !== "number") throw new ArgumentError(`\`${name}\` is missing`)
  const parts = name === "path" ? String(value).split("/") : [String(value)]
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") {
      throw new ArgumentError(`\`${name}\` has an empty segment, \`.\` or \`..\``)
    }
  }
  return parts.map(encodeURIComponent).join("/")
}

/** Returns the URL of the request for a tool call, with path and query parameters from the arguments. */
export const addressOf = ({ path, query }: EndpointTool, base: string, args: Arguments): URL => {
  const filled = path.replace(/\{(\w+)\}|\*/g, (_, name: string = "path") => segment(name, args[name]))
  const url = new URL(`${base.replace(/\/+$/, "")}${filled}`)
  for (const name of query) {
    for (const value of [args[name]].flat()) {
      if (value === undefined || value === null) continue
      if (typeof value === "object") throw new ArgumentError(`\`${name}\` must be a text, a number or a boolean`)
      url.searchParams.append(name, String(value))
    }
  }
  return url
}

/** Sends the request for a tool call to an endpoint, with the token of the service. */
export const callEndpoint = async (tool: EndpointTool, access: ServiceAccess, args: Arguments): Promise<Answer> => {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(tool.properties, name))
  if (unknown !== undefined) {
    throw new ArgumentError(
      `\`${unknown}\` is not an argument; ${tool.name} has ${Object.keys(tool.properties).join(", ") || "none"}`
    )
  }
  const missing = tool.required.find((name) => args[name] === undefined)
  if (missing !== undefined) throw new ArgumentError(`\`${missing}\` is missing`)
  const { send = fetch } = access
  const request = new Request(addressOf(tool, access.url, args), {
    method: tool.method,
    headers: {
      accept: "application/json, text/*",
      ...(access.token === undefined ? {} : { authorization: `Bearer ${access.token}` }),
      ...(args.body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
    signal: AbortSignal.timeout(60_000)
  })
  const response = await send(request)
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  const total = response.headers.get("x-total-count")
  return {
    status: response.status,
    ok: response.ok,
    body: isJson && text !== "" ? (JSON.parse(text) as unknown) : text,
    total: total === null ? undefined : Number(total)
  }
}
