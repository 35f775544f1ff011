export { usualFolders } from "./program.ts"
export * from "./reader.ts"
export { layerManifestReader } from "./yamlThreads.ts"
