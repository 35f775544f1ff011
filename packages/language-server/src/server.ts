import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { FileAnalyser, type Problem } from "@slipway/testkit/access"
import {
  type CodeAction,
  type Connection,
  type Diagnostic,
  ErrorCodes,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments
} from "vscode-languageserver"
import { TextDocument } from "vscode-languageserver-textdocument"
import { rangeOf } from "./AccessFile.ts"
import { resolveCompletion } from "./completion.ts"
import { type Outcome, runCommand } from "./expectations.ts"
import { type ScenarioFile, scenarioFileOf } from "./ScenarioFile.ts"

/** The options of a language server. */
export interface ServerOptions {
  /** Custom access rules; by default the built-in rules. */
  readonly policy?: AnyPolicySet | undefined
  /** The version that the server reports. */
  readonly version?: string
}

interface Open {
  readonly version: number
  readonly file: ScenarioFile
  readonly outcomes: ReadonlyArray<Outcome>
}

const diagnosticOf = ({ line, message, severity, suggestion, ...columns }: Problem): Diagnostic => ({
  range: rangeOf(line, columns),
  severity: severity === "error" ? 1 : 2,
  source: "slipway",
  message,
  ...(suggestion === undefined ? {} : { data: { suggestion } })
})

const suggestionIn = (data: unknown): string | undefined =>
  typeof data === "object" && data !== null && "suggestion" in data && typeof data.suggestion === "string"
    ? data.suggestion
    : undefined

const capabilities: InitializeResult["capabilities"] = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: [" ", "=", "/", ",", "+", "-", ".", ">"], resolveProvider: true },
  hoverProvider: true,
  definitionProvider: true,
  codeLensProvider: {},
  codeActionProvider: { codeActionKinds: ["quickfix"] },
  documentFormattingProvider: true,
  executeCommandProvider: { commands: [runCommand] }
}

/** Handles the requests of an editor about scenario files, until the connection closes. */
export const serveLanguage = (connection: Connection, { policy, version }: ServerOptions = {}): void => {
  const documents = new TextDocuments(TextDocument)
  const opened = new Map<string, Open>()
  const analysers = new Map<string, FileAnalyser>()
  let refreshesLenses = false

  const open = (uri: string): Open | undefined => {
    const document = documents.get(uri)
    const known = opened.get(uri)
    if (document === undefined || known?.version === document.version) return known
    const analyser = analysers.get(uri) ?? new FileAnalyser(policy)
    analysers.set(uri, analyser)
    const entry = {
      version: document.version,
      file: scenarioFileOf(document.getText(), analyser, policy),
      outcomes: []
    }
    opened.set(uri, entry)
    return entry
  }
  const publish = (uri: string): void => {
    const found = open(uri)
    if (found === undefined) return
    const { file, outcomes, version } = found
    const failures = outcomes.filter(({ passed }) => !passed).map((outcome) => file.failureOf(outcome))
    const diagnostics = [...file.problems.map(diagnosticOf), ...failures]
    void connection.sendDiagnostics({ uri, version, diagnostics })
  }

  connection.onInitialize(({ capabilities: { workspace } }) => {
    refreshesLenses = workspace?.codeLens?.refreshSupport === true
    return { capabilities, serverInfo: { name: "slipway", ...(version === undefined ? {} : { version }) } }
  })
  documents.onDidChangeContent(({ document }) => publish(document.uri))
  documents.onDidClose(({ document: { uri } }) => {
    opened.delete(uri)
    analysers.delete(uri)
    void connection.sendDiagnostics({ uri, diagnostics: [] })
  })
  connection.onCompletion(({ position, textDocument }) => {
    const found = open(textDocument.uri)
    return found === undefined ? [] : found.file.completionsAt(position.line, position.character)
  })
  const rulebook = new FileAnalyser(policy).rulebook
  connection.onCompletionResolve((item) => resolveCompletion(item, rulebook))
  connection.onHover(({ position, textDocument }) => {
    const found = open(textDocument.uri)
    return found === undefined ? null : (found.file.hoverAt(position.line, position.character) ?? null)
  })
  connection.onDefinition(({ position: { character, line }, textDocument: { uri } }) => {
    const found = open(uri)?.file.definitionAt(line, character)
    return found === undefined ? null : { uri, range: rangeOf(found.line, found) }
  })
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const found = open(uri)
    return found === undefined ? [] : found.file.lenses(uri, found.outcomes)
  })
  connection.onCodeAction(({ context, textDocument: { uri } }) =>
    context.diagnostics.flatMap((diagnostic): ReadonlyArray<CodeAction> => {
      const newText = suggestionIn(diagnostic.data)
      if (newText === undefined) return []
      const edit = { changes: { [uri]: [{ range: diagnostic.range, newText }] } }
      return [{ title: `Change to ${newText}`, kind: "quickfix", diagnostics: [diagnostic], isPreferred: true, edit }]
    })
  )
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const file = open(uri)?.file
    const newText = file?.formatted()
    if (file === undefined || newText === undefined) return []
    return newText === file.text ? [] : [{ range: file.range, newText }]
  })
  connection.onExecuteCommand(({ arguments: [uri, line] = [], command }) => {
    const found = typeof uri === "string" ? open(uri) : undefined
    if (command !== runCommand || found === undefined || (line !== undefined && typeof line !== "number")) {
      return new ResponseError(ErrorCodes.InvalidParams, `\`${runCommand}\` needs an open file, and a line or none`)
    }
    let outcomes: ReadonlyArray<Outcome>
    try {
      outcomes = found.file.run(line)
    } catch (problem) {
      return new ResponseError(
        LSPErrorCodes.RequestFailed,
        problem instanceof Error ? problem.message : String(problem)
      )
    }
    const lines = new Set(outcomes.map((outcome) => outcome.line))
    const others = found.outcomes.filter((outcome) => !lines.has(outcome.line))
    opened.set(String(uri), { ...found, outcomes: [...others, ...outcomes] })
    publish(String(uri))
    if (refreshesLenses) void connection.sendRequest("workspace/codeLens/refresh")
    return outcomes
  })
  documents.listen(connection)
  connection.listen()
}
