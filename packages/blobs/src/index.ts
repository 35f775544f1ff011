export * from "./address.ts"
export * from "./directory.ts"
export * from "./fileTypes.ts"
export * from "./s3.ts"
