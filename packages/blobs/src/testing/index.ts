export * from "./s3Server.ts"
