export * from "./avatarImages.ts"
