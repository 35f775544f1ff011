export * from "./mailer.ts"
export * from "./notificationMailer.ts"
