export { consoleSession, createConsole, pagePaths } from "./createConsole.ts"
