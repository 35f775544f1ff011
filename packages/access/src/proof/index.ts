export { type AnyRecord, always, type Diagram, Diagrams, never } from "./Diagrams.ts"
export * from "./prove.ts"
export { type Pattern, parseStatements, type Statement, StatementError } from "./statements.ts"
export * from "./Theory.ts"
