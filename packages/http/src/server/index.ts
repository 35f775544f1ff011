export * from "./bodies.ts"
export * from "./errorBodies.ts"
export * from "./health.ts"
export * from "./lists.ts"
