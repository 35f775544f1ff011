import * as deploy from "./generated/deploy.ts"
import * as forge from "./generated/forge.ts"

/** The name of a service that MCP tools call. */
export type ServiceName = "forge" | "deploy"

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An API endpoint as an MCP tool, generated from the endpoint's definition and its row in the access table. */
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

/** The content of a generated module, as JSON texts: schemas (`defs`) and endpoints (`tools`). */
interface Generated {
  readonly defs: ReadonlyArray<string>
  readonly tools: ReadonlyArray<string>
}

type Row = Omit<EndpointTool, "service" | "defs"> & { readonly defs: ReadonlyArray<string> }

const toolsOf = (service: ServiceName, generated: Generated): ReadonlyArray<EndpointTool> => {
  const defs = new Map(generated.defs.map((text): readonly [string, JsonSchema] => JSON.parse(text)))
  return generated.tools.map((text) => {
    const row: Row = JSON.parse(text)
    return { ...row, service, defs: Object.fromEntries(row.defs.map((name) => [name, defs.get(name) ?? {}])) }
  })
}

/** The endpoints of both services as MCP tools. */
export const endpointTools: Readonly<Record<ServiceName, ReadonlyArray<EndpointTool>>> = {
  forge: toolsOf("forge", forge),
  deploy: toolsOf("deploy", deploy)
}
