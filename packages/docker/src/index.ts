export { layerEngineInstaller } from "./installer.ts"
export * from "./layer.ts"
export * from "./registryFile.ts"
export { layerServerFiles } from "./serverFiles.ts"
