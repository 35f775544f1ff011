import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { type McpOptions, mcpServer } from "./server.ts"

/** Runs an MCP server on standard input and output; resolves when the client disconnects. */
export const serveStdio = async (options: McpOptions): Promise<void> => {
  const server = mcpServer(options)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once("end", resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
}

/** A running MCP server that accepts HTTP clients. */
export interface ListeningServer {
  /** The address for clients. */
  readonly url: string
  /** The secret that clients send as bearer token. */
  readonly secret: string
  readonly close: () => Promise<void>
}

/** The options of MCP's streamable HTTP transport. */
export interface HttpOptions {
  /** The port on the loopback interface; 0 selects a free port. */
  readonly port: number
  /** The secret that clients must send as bearer token; random by default. */
  readonly secret?: string | undefined
}

/** The maximum size of a request, in bytes. */
const largest = 4 * 1024 * 1024

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Runs an MCP server with streamable HTTP on the loopback interface, without sessions.
 *
 * A request must contain the secret as bearer token, because tool calls use the API tokens of this process. Requests
 * from web pages of other sites are rejected, including DNS rebinding attacks.
 */
export const serveHttp = async (
  options: McpOptions,
  { port, secret = randomBytes(24).toString("base64url") }: HttpOptions
): Promise<ListeningServer> => {
  const expected = digest(`Bearer ${secret}`)
  const respond = (response: ServerResponse, status: number, message: string, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }))
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = "", host, origin } = request.headers
    const own = (listener.address() as AddressInfo).port
    const hosts = [`127.0.0.1:${own}`, `localhost:${own}`]
    if (host === undefined || !hosts.includes(host))
      return respond(response, 403, "the Host header is not that of this server")
    if (origin !== undefined && !hosts.includes(origin.replace(/^http:\/\//, ""))) {
      return respond(response, 403, "requests from other sites are not allowed")
    }
    if (!timingSafeEqual(digest(authorization), expected)) {
      return respond(response, 401, "send the secret of this server as bearer token", { "www-authenticate": "Bearer" })
    }
    if (new URL(request.url ?? "/", "http://localhost").pathname !== "/mcp")
      return respond(response, 404, "the path is /mcp")
    if (request.method !== "POST")
      return respond(response, 405, "this server has no sessions: send POST", { allow: "POST" })
    const body = await bodyOf(request)
    if (body === undefined) return respond(response, 413, `a request has at most ${largest} bytes`)
    let message: unknown
    try {
      message = JSON.parse(body.toString("utf8"))
    } catch {
      return respond(response, 400, "the body is not JSON")
    }
    const server = mcpServer(options)
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.once("close", () => {
      void server.close()
    })
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response, message)
  }
  const listener = createServer((request, response) => {
    handle(request, response).catch((problem: unknown) => {
      if (!response.headersSent) respond(response, 500, problem instanceof Error ? problem.message : String(problem))
      else response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject)
    listener.listen(port, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`,
    secret,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      })
  }
}

const rejection = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers })

/**
 * Returns the response to one request of MCP's streamable HTTP transport, without sessions.
 *
 * The caller must authenticate the sender; every tool call uses the API tokens in the options.
 */
export const answerRequest = async (options: McpOptions, request: Request): Promise<Response> => {
  if (request.method !== "POST") return rejection(405, "this server has no sessions: send POST", { allow: "POST" })
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > largest) return rejection(413, `a request has at most ${largest} bytes`)
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return rejection(400, "the body is not JSON")
  }
  const server = mcpServer(options)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport as Transport)
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
