export { readLogs } from "./database-logs/logs.ts"
export * as ApplicationLogs from "./logs/ApplicationLogs.ts"
export * as DeploymentLogs from "./logs/DeploymentLogs.ts"
export * as Pipeline from "./pipeline/worker.ts"
