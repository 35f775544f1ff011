export * from "./fileEncryption.ts"
export * from "./objectStorage.ts"
