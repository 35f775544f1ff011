export * from "./FairQueue.ts"
export * from "./Threads.ts"
