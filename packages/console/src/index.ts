export { consoleSession, createConsole } from "./createConsole.ts"
