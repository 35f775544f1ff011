export * from "./Admission.ts"
export * from "./Authorized.ts"
export * from "./Condition.ts"
export * from "./Decision.ts"
export * from "./Enumerate.ts"
export * as Facts from "./Facts.ts"
export {
  type Fact,
  type FactsOf,
  type Flag,
  flag,
  type Ordered,
  ordered,
  type Vocabulary,
  type Worded,
  worded
} from "./Facts.ts"
export * from "./Level.ts"
export * from "./Loaded.ts"
export * from "./Prose.ts"
export * from "./Sql.ts"
export * from "./Visibility.ts"
