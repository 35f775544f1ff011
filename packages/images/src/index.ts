export * from "./pictures.ts"
