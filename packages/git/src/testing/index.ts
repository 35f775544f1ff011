export * from "./gitServer.ts"
export * from "./repositories.ts"
