export * from "./templates.ts"
