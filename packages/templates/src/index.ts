export * from "./recognition.ts"
export * from "./templates.ts"
