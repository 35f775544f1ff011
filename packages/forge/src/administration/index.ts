export * as UserRemoval from "./users/UserRemoval.ts"
