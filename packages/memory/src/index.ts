export * from "./collection.ts"
export * from "./Database.ts"
export * as Sorted from "./Sorted.ts"
export * from "./Table.ts"
