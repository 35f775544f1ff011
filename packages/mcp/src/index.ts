export type { ServiceAccess } from "./call.ts"
export { type EndpointTool, endpointTools, type JsonSchema, type ServiceName } from "./definitions.ts"
export { answerRequest, type HttpOptions, type ListeningServer, serveHttp, serveStdio } from "./serve.ts"
export { type McpOptions, mcpServer, toolsOf } from "./server.ts"
