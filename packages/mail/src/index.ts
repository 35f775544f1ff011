export * from "./mailer.ts"
