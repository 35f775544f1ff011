export * from "./EventNews.ts"
export * from "./EventStore.ts"
export * from "./feedActions.ts"
export * from "./IssueSnapshot.ts"
