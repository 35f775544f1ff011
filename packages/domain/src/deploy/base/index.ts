export * from "./ids/ApplicationUuid.ts"
export * from "./ids/DeploymentUuid.ts"
export * from "./ids/ReleaseUuid.ts"
export * from "./words/words.ts"
