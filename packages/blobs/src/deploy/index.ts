export * from "./bundleCipher.ts"
export * from "./fileEncryption.ts"
export * from "./objectStorage.ts"
