export * from "./Threads.ts"
