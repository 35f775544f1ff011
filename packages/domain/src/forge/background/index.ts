export * from "./jobs/Job.ts"
export * from "./jobs/JobLease.ts"
export * from "./jobs/Notice.ts"
export * from "./tasks/Task.ts"
