export * from "./PostgresServer.ts"
export * from "./sharedPostgres.ts"
export * from "./statements.ts"
export * from "./testDatabase.ts"
