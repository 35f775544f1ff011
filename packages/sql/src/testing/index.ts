export * from "./PostgresServer.ts"
export * from "./sharedPostgres.ts"
export * from "./statements.ts"
