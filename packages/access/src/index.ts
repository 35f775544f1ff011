export * from "./Admission.ts"
export * from "./Authorized.ts"
export * from "./Condition.ts"
export * from "./Context.ts"
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
export * from "./Fields.ts"
export * from "./Level.ts"
export * from "./Loaded.ts"
export * from "./Prose.ts"
export { type Inherited, inherited, subjectsOf, type Tree as RelationTree } from "./Relations.ts"
export * from "./Roles.ts"
export * from "./Rules.ts"
export * from "./Sql.ts"
export * from "./Visibility.ts"
