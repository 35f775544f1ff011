export { usualFolders } from "./program.ts"
export * from "./reader.ts"
