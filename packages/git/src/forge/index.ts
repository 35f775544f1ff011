export * from "./objects.ts"
export * from "./remotes.ts"
export * from "./repositories.ts"
export * from "./transport/transport.ts"
