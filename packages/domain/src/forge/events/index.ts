export * from "./EventNews.ts"
export * from "./EventStore.ts"
