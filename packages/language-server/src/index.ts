import { createConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node"
import { type ServerOptions, serveLanguage } from "./server.ts"

export * from "./AccessFile.ts"
export { completionsAt } from "./completion.ts"
export { lensesOf, type Outcome, runCommand, runExpectations } from "./expectations.ts"
export { hoverAt } from "./hover.ts"
export { type ScenarioFile, scenarioFileOf } from "./ScenarioFile.ts"
export { type ServerOptions, serveLanguage } from "./server.ts"

/**
 * Runs the language server for an editor over two streams, such as standard input and output, until the editor exits.
 */
export const serveStreams = (
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  options: ServerOptions = {}
): void => serveLanguage(createConnection(new StreamMessageReader(input), new StreamMessageWriter(output)), options)
