export * from "./recognition.ts"
export * from "./templates.ts"
export * from "./workflows.ts"
