import { ArgumentError, type Arguments, type ServiceAccess } from "../call.ts"
import type { JsonSchema, ServiceName } from "../definitions.ts"
import { deployTools } from "./deployTools.ts"
import { forgeTools } from "./forgeTools.ts"
import type { ServiceTool } from "./ServiceTool.ts"

/** An MCP tool that answers a question about the access decisions of the connected services. */
export interface AccessTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: "object" }
  readonly call: (args: Arguments) => Promise<unknown>
}

/** The services of an MCP server, with the token of each. */
export type Services = { readonly [S in ServiceName]?: ServiceAccess | undefined }

interface Connected {
  readonly service: ServiceName
  readonly access: ServiceAccess
  readonly tool: ServiceTool
}

const tools = { forge: forgeTools, deploy: deployTools }

const known = ({ name, properties }: ServiceTool, args: Arguments): Arguments => {
  const unknown = Object.keys(args).find((each) => !Object.hasOwn(properties, each))
  if (unknown === undefined) return args
  throw new ArgumentError(`\`${unknown}\` is not an argument; ${name} has ${Object.keys(properties).join(", ")}`)
}

const schemaOf = (properties: ServiceTool["properties"], required: ReadonlyArray<string>) => ({
  type: "object" as const,
  properties,
  required,
  additionalProperties: false
})

/** Merges two schemas of an argument of the same name: the values of both, each with its description. */
const merged = (one: JsonSchema | undefined, other: JsonSchema): JsonSchema => {
  if (one === undefined || one["description"] === other["description"]) {
    const [values, more] = [one?.["enum"], other["enum"]]
    return Array.isArray(values) && Array.isArray(more) ? { ...other, enum: [...values, ...more] } : other
  }
  return { ...one, description: `forge: ${one["description"]}. deploy: ${other["description"]}` }
}

const withService = (name: string, all: ReadonlyArray<Connected>): AccessTool => {
  const properties: Record<string, JsonSchema> = {
    service: { type: "string", enum: all.map(({ service }) => service), description: "The service to ask" }
  }
  for (const { tool } of all) {
    for (const [key, schema] of Object.entries(tool.properties)) properties[key] = merged(properties[key], schema)
  }
  const required = all.reduce<ReadonlyArray<string>>(
    (common, { tool }) => common.filter((each) => tool.required.includes(each)),
    Object.keys(properties)
  )
  return {
    name,
    description: all.map(({ service, tool }) => `${service}: ${tool.description}`).join("\n"),
    inputSchema: schemaOf(properties, ["service", ...required]),
    call: ({ service, ...args }) => {
      const asked = all.find((each) => each.service === service)
      if (asked === undefined) {
        throw new ArgumentError(`\`service\` is not one of ${all.map((each) => each.service).join(", ")}`)
      }
      return asked.tool.call(asked.access, known(asked.tool, args))
    }
  }
}

/** Returns the tools about access decisions. With both services, each tool has the argument `service`. */
export const accessTools = (services: Services): ReadonlyArray<AccessTool> => {
  const all = (["forge", "deploy"] as const).flatMap((service) => {
    const access = services[service]
    return access === undefined ? [] : tools[service].map((tool): Connected => ({ service, access, tool }))
  })
  return [...new Set(all.map(({ tool }) => tool.name))].map((name): AccessTool => {
    const found = all.filter(({ tool }) => tool.name === name)
    const [first] = found
    if (first === undefined || found.length > 1) return withService(name, found)
    const { access, tool } = first
    return {
      name,
      description: tool.description,
      inputSchema: schemaOf(tool.properties, tool.required),
      call: (args) => tool.call(access, known(tool, args))
    }
  })
}
