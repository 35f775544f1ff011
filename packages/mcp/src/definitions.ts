import deploy from "./generated/deploy.json" with { type: "json" }
import forge from "./generated/forge.json" with { type: "json" }

/** A service that tools call. */
export type ServiceName = "forge" | "deploy"

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An endpoint as a tool, generated from its definition and its access row. */
export interface EndpointTool {
  readonly service: ServiceName
  readonly name: string
  /** The action in the access tables. */
  readonly action: string
  readonly summary: string
  /** The conditions of the access row. */
  readonly access: ReadonlyArray<string>
  /** Whether the access row only reads. */
  readonly reads: boolean
  readonly method: string
  readonly path: string
  /** The names of the query parameters. */
  readonly query: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: ReadonlyArray<string>
  /** The schemas that the properties refer to. */
  readonly defs: Readonly<Record<string, JsonSchema>>
}

interface Generated {
  readonly defs: Readonly<Record<string, JsonSchema>>
  readonly tools: ReadonlyArray<Omit<EndpointTool, "service" | "defs"> & { readonly defs: ReadonlyArray<string> }>
}

const toolsOf = (service: ServiceName, { defs, tools }: Generated): ReadonlyArray<EndpointTool> =>
  tools.map((tool) => ({
    ...tool,
    service,
    defs: Object.fromEntries(tool.defs.map((name) => [name, defs[name] ?? {}]))
  }))

/** The endpoints of both services as tools. */
export const endpointTools: Readonly<Record<ServiceName, ReadonlyArray<EndpointTool>>> = {
  forge: toolsOf("forge", forge as unknown as Generated),
  deploy: toolsOf("deploy", deploy as unknown as Generated)
}
