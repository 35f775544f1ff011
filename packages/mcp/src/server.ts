import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool
} from "@modelcontextprotocol/sdk/types.js"
import { accessTools } from "./access/accessTools.ts"
import { RefusedCall } from "./access/ServiceTool.ts"
import { ArgumentError, type Arguments, callEndpoint, type ServiceAccess } from "./call.ts"
import { type EndpointTool, endpointTools, type ServiceName } from "./definitions.ts"

/** The options of an MCP server. */
export interface McpOptions {
  readonly forge?: ServiceAccess | undefined
  readonly deploy?: ServiceAccess | undefined
  /** Whether to include tools that change data; by default the server has only tools that read. */
  readonly allowWrites?: boolean
  /** Glob patterns of the tools to include, such as `forge_repository_*`; by default all tools. */
  readonly tools?: ReadonlyArray<string>
  readonly version?: string
}

/** The maximum length of a tool result, in characters. */
const longest = 100_000

const matches = (glob: string, name: string): boolean =>
  new RegExp(
    `^${glob
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`
  ).test(name)

const resultOf = (value: unknown, isError = false): CallToolResult => {
  const whole = typeof value === "string" ? value : JSON.stringify(value)
  const text =
    whole.length <= longest
      ? whole
      : `${whole.slice(0, longest)}\n… ${whole.length - longest} more characters: ask for fewer rows with \`limit\``
  return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) }
}

const shownTool = ({ access, defs, method, name, path, properties, reads, required, summary }: EndpointTool): Tool => ({
  name,
  description: [
    `${summary}. ${method} ${path}`,
    ...(access.length === 0 ? [] : [`Access: ${access.join("; ")}.`])
  ].join("\n"),
  inputSchema: {
    type: "object",
    properties: properties as Record<string, object>,
    required: [...required],
    additionalProperties: false,
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs })
  },
  annotations: {
    title: summary,
    readOnlyHint: reads,
    ...(reads ? {} : { destructiveHint: method === "DELETE", idempotentHint: method === "PUT" || method === "DELETE" }),
    openWorldHint: false
  }
})

/** Returns the endpoint tools that a server with these options has. */
export const toolsOf = ({ allowWrites = false, tools = [], ...services }: McpOptions): ReadonlyArray<EndpointTool> =>
  (["forge", "deploy"] as const)
    .filter((service) => services[service] !== undefined)
    .flatMap((service) => endpointTools[service])
    .filter(({ reads }) => reads || allowWrites)
    .filter(({ name }) => tools.length === 0 || tools.some((glob) => matches(glob, name)))

/** Makes an MCP server with the endpoints of both services as tools. Each call uses the API token of its service. */
export const mcpServer = (options: McpOptions): Server => {
  const { tools: globs = [], version = "0.0.0" } = options
  const endpoints = new Map(toolsOf(options).map((tool) => [tool.name, tool]))
  const about = new Map(
    accessTools(options)
      .filter(({ name }) => globs.length === 0 || globs.some((glob) => matches(glob, name)))
      .map((tool) => [tool.name, tool])
  )
  const shown: ReadonlyArray<Tool> = [
    ...[...about.values()].map(({ description, inputSchema, name }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false }
    })),
    ...[...endpoints.values()].map(shownTool)
  ]
  const result = async (name: string, args: Arguments): Promise<CallToolResult> => {
    const tool = about.get(name)
    if (tool !== undefined) return resultOf(await tool.call(args))
    const endpoint = endpoints.get(name)
    const access = endpoint === undefined ? undefined : options[endpoint.service satisfies ServiceName]
    if (endpoint === undefined || access === undefined) {
      const isWrite = [...endpointTools.forge, ...endpointTools.deploy].some((each) => each.name === name)
      return resultOf(
        isWrite ? `${name} is not enabled: start the server with --allow-writes` : `${name} is unknown`,
        true
      )
    }
    const { body, ok, status, total } = await callEndpoint(endpoint, access, args)
    if (!ok) return resultOf({ status, body }, true)
    return resultOf(total === undefined ? (body === "" ? { status } : body) : { total, rows: body })
  }
  const server = new Server({ name: "slipway", version }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...shown] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return await result(params.name, params.arguments ?? {})
    } catch (problem) {
      if (problem instanceof RefusedCall)
        return resultOf({ status: problem.answer.status, body: problem.answer.body }, true)
      if (problem instanceof ArgumentError) return resultOf(problem.message, true)
      return resultOf(problem instanceof Error ? `the call failed: ${problem.message}` : String(problem), true)
    }
  })
  return server
}
