export * from "./EventNews.ts"
export * from "./EventStore.ts"
export * from "./IssueSnapshot.ts"
