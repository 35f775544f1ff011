export * from "./podman.ts"
export * from "./programs.ts"
export * from "./tar.ts"
