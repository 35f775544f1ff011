export * from "./ServiceProcess.ts"
export * from "./ServiceProcesses.ts"
