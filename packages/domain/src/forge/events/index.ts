export * from "./EventStore.ts"
export * from "./feedActions.ts"
export * from "./IssueSnapshot.ts"
export * from "./QueuedHookEvent.ts"
