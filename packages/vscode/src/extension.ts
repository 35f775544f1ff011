import * as vscode from "vscode"
import type * as lsp from "vscode-languageserver/node"
import { type RunningServer, startServer } from "./server.ts"

const language = "slipway-access"
const runCommand = "slipway.access.run"

const rangeOf = ({ end, start }: lsp.Range) => new vscode.Range(start.line, start.character, end.line, end.character)

const isOurs = ({ languageId }: vscode.TextDocument) => languageId === language

/**
 * Returns the setting with the custom access rules. Returns undefined in an untrusted workspace, because the rules are
 * code of the workspace.
 */
const rulesOf = (): string | undefined => {
  const rules = vscode.workspace.getConfiguration("slipway.access").get("rules")
  return vscode.workspace.isTrusted && typeof rules === "string" && rules !== "" ? rules : undefined
}

let running: RunningServer | undefined
const shown = new Map<string, ReadonlyArray<lsp.Diagnostic>>()

const asked = async <A>(method: string, params: object): Promise<A | null> =>
  running === undefined ? null : running.connection.sendRequest<A | null>(method, params)

const at = (document: vscode.TextDocument, { character, line }: vscode.Position) => ({
  textDocument: { uri: document.uri.toString() },
  position: { line, character }
})

const textOf = (contents: lsp.Hover["contents"]): string =>
  typeof contents === "object" && "value" in contents ? contents.value : ""

const completion = {
  provideCompletionItems: async (document: vscode.TextDocument, position: vscode.Position) => {
    const items = await asked<ReadonlyArray<lsp.CompletionItem>>("textDocument/completion", at(document, position))
    return (items ?? []).map((item) => {
      // The editor counts kinds from 0, the protocol from 1.
      const completionItem = new vscode.CompletionItem(item.label, (item.kind ?? 1) - 1)
      const { detail, documentation, textEdit } = item
      if (detail !== undefined) completionItem.detail = detail
      if (typeof documentation === "object")
        completionItem.documentation = new vscode.MarkdownString(documentation.value)
      if (textEdit !== undefined && "range" in textEdit) {
        completionItem.range = rangeOf(textEdit.range)
        completionItem.insertText = textEdit.newText
      }
      return completionItem
    })
  },
  resolveCompletionItem: async (item: vscode.CompletionItem & { readonly label: string; readonly kind?: number }) => {
    const { kind = 0, label } = item
    const resolved = await asked<lsp.CompletionItem>("completionItem/resolve", { label, kind: kind + 1 })
    const documentation = resolved?.documentation
    if (typeof documentation === "object") item.documentation = new vscode.MarkdownString(documentation.value)
    return item
  }
}

const hover = {
  provideHover: async (document: vscode.TextDocument, position: vscode.Position) => {
    const found = await asked<lsp.Hover>("textDocument/hover", at(document, position))
    if (found === null) return undefined
    return new vscode.Hover(new vscode.MarkdownString(textOf(found.contents)), found.range && rangeOf(found.range))
  }
}

const definition = {
  provideDefinition: async (document: vscode.TextDocument, position: vscode.Position) => {
    const found = await asked<lsp.Location>("textDocument/definition", at(document, position))
    return found === null ? undefined : new vscode.Location(vscode.Uri.parse(found.uri), rangeOf(found.range))
  }
}

const actions = {
  provideCodeActions: async (document: vscode.TextDocument, range: lsp.Range) => {
    const uri = document.uri.toString()
    const diagnostics = (shown.get(uri) ?? []).filter(({ range: { end, start } }) => {
      return start.line <= range.end.line && end.line >= range.start.line
    })
    const found = await asked<ReadonlyArray<lsp.CodeAction>>("textDocument/codeAction", {
      textDocument: { uri },
      range,
      context: { diagnostics }
    })
    return (found ?? []).map(({ edit, isPreferred, title }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
      action.edit = new vscode.WorkspaceEdit()
      for (const { newText, range } of edit?.changes?.[uri] ?? []) {
        action.edit.replace(document.uri, rangeOf(range), newText)
      }
      action.isPreferred = isPreferred === true
      return action
    })
  }
}

const formatting = {
  provideDocumentFormattingEdits: async (document: vscode.TextDocument) => {
    const edits = await asked<ReadonlyArray<lsp.TextEdit>>("textDocument/formatting", {
      textDocument: { uri: document.uri.toString() },
      options: { tabSize: 2, insertSpaces: true }
    })
    return (edits ?? []).map(({ newText, range }) => new vscode.TextEdit(rangeOf(range), newText))
  }
}

/** Connects the editor to the language server while access scenario files are open. */
export const activate = async (context: vscode.ExtensionContext): Promise<void> => {
  const collection = vscode.languages.createDiagnosticCollection(language)
  const changed = new vscode.EventEmitter<void>()
  const lenses = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: async (document: vscode.TextDocument) => {
      const uri = document.uri.toString()
      const found = await asked<ReadonlyArray<lsp.CodeLens>>("textDocument/codeLens", { textDocument: { uri } })
      return (found ?? []).flatMap(({ command, range }) =>
        command === undefined ? [] : [new vscode.CodeLens(rangeOf(range), command)]
      )
    }
  }
  const opened = (document: vscode.TextDocument) => {
    if (!isOurs(document)) return
    const { languageId, version } = document
    const textDocument = { uri: document.uri.toString(), languageId, version, text: document.getText() }
    void running?.connection.sendNotification("textDocument/didOpen", { textDocument })
  }
  const begin = async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
    const bundle = context.asAbsolutePath("dist/accessMain.js")
    const server = await startServer(bundle, rulesOf(), folder, (code, errors) => {
      running = undefined
      vscode.window.showErrorMessage(`The language server for access rules exited with ${code}: ${errors.trim()}`)
    })
    running = server
    server.connection.onNotification("textDocument/publishDiagnostics", (published: lsp.PublishDiagnosticsParams) => {
      shown.set(published.uri, published.diagnostics)
      collection.set(
        vscode.Uri.parse(published.uri),
        published.diagnostics.map(({ message, range, severity = 1 }) => {
          const diagnostic = new vscode.Diagnostic(rangeOf(range), String(message), severity - 1)
          diagnostic.source = "slipway"
          return diagnostic
        })
      )
    })
    server.connection.onRequest("workspace/codeLens/refresh", () => {
      changed.fire()
      return null
    })
    for (const document of vscode.workspace.textDocuments) opened(document)
  }
  const restart = async () => {
    const before = running
    running = undefined
    await before?.stop()
    await begin()
  }
  const run = async (uri: string, line?: number) => {
    const params = { command: runCommand, arguments: line === undefined ? [uri] : [uri, line] }
    try {
      return await asked<ReadonlyArray<{ readonly passed: boolean }>>("workspace/executeCommand", params)
    } catch (problem) {
      vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem))
      return null
    }
  }
  const runAll = async () => {
    const document = vscode.window.activeTextEditor?.document
    if (document === undefined || !isOurs(document)) return
    const outcomes = await run(document.uri.toString())
    if (outcomes === null) return
    const met = outcomes.filter(({ passed }) => passed).length
    vscode.window.showInformationMessage(`${met} of ${outcomes.length} expectations are met`)
  }
  context.subscriptions.push(
    collection,
    changed,
    vscode.languages.registerCompletionItemProvider(language, completion, ..." =/,+-.>"),
    vscode.languages.registerHoverProvider(language, hover),
    vscode.languages.registerDefinitionProvider(language, definition),
    vscode.languages.registerCodeLensProvider(language, lenses),
    vscode.languages.registerCodeActionsProvider(language, actions),
    vscode.languages.registerDocumentFormattingEditProvider(language, formatting),
    vscode.commands.registerCommand(runCommand, run),
    vscode.commands.registerCommand("slipway.access.runAll", runAll),
    vscode.commands.registerCommand("slipway.access.restart", restart),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isOurs(document)) return
      void running?.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: [{ text: document.getText() }]
      })
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (!isOurs(document)) return
      const textDocument = { uri: document.uri.toString() }
      void running?.connection.sendNotification("textDocument/didClose", { textDocument })
    }),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("slipway.access") ? restart() : undefined
    )
  )
  await begin()
}

/** Stops the language server. */
export const deactivate = async (): Promise<void> => {
  const before = running
  running = undefined
  await before?.stop()
}
