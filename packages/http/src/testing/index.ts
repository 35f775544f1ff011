export * from "./chromium.ts"
export * from "./ServiceProcess.ts"
export * from "./ServiceProcesses.ts"
