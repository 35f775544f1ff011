import { type Answer, ArgumentError, type Arguments, callEndpoint, type ServiceAccess } from "../call.ts"
import { type EndpointTool, endpointTools, type JsonSchema, type ServiceName } from "../definitions.ts"

/** An MCP tool that answers a question about the access decisions of one service. */
export interface ServiceTool {
  readonly name: string
  readonly description: string
  /** The JSON schemas of the arguments, by name. */
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: ReadonlyArray<string>
  readonly call: (service: ServiceAccess, args: Arguments) => Promise<unknown>
}

/** The error for an unsuccessful response of a service. */
export class RefusedCall extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`the service responded with ${answer.status}`)
    this.name = "RefusedCall"
    this.answer = answer
  }
}

/** Returns the function that calls an endpoint of a service by the name of its tool, and fails if it is refused. */
export const sendTo = (service: ServiceName) => {
  const endpoint = (name: string): EndpointTool => {
    const found = endpointTools[service].find((tool) => tool.name === name)
    if (found === undefined) throw new Error(`${service} has no endpoint ${name}`)
    return found
  }
  return async (name: string, access: ServiceAccess, args: Arguments): Promise<Answer> => {
    const answer = await callEndpoint(endpoint(name), access, args)
    if (!answer.ok) throw new RefusedCall(answer)
    return answer
  }
}

/** Returns a required text argument. */
export const text = (args: Arguments, name: string): string => {
  const value = args[name]
  if (typeof value !== "string" || value === "") throw new ArgumentError(`\`${name}\` is missing`)
  return value
}

/** Returns an optional text argument; undefined if it is omitted or empty. */
export const optionalText = (args: Arguments, name: string): string | undefined =>
  args[name] === undefined || args[name] === "" ? undefined : text(args, name)
