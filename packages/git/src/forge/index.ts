export * from "./objects.ts"
export * from "./repositories.ts"
export * from "./transport/transport.ts"
export * from "./unadopted.ts"
