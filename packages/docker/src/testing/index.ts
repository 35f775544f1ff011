export * from "./podman.ts"
export * from "./programs.ts"
export * from "./sshd.ts"
export * from "./tar.ts"
