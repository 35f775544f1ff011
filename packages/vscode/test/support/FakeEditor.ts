/** The editor's interface as far as the extension uses it, without a window. */
export class FakeEditor {
  readonly subscriptions: Array<{ dispose(): unknown }> = []
  readonly messages: Array<string> = []
  readonly errors: Array<string> = []
  private readonly documents = new Map<string, { version: number; text: string; languageId: string }>()
  // biome-ignore lint/suspicious/noExplicitAny: providers have the shapes of the editor's own interface
  private readonly providers = new Map<string, any>()
  private readonly commands = new Map<string, (...args: ReadonlyArray<unknown>) => unknown>()
  private readonly changes: Array<(event: { readonly document: unknown }) => unknown> = []
  private readonly waiting: Array<(published: Published) => void> = []
  private readonly collected: Array<Published> = []
  private active: string | undefined

  readonly api = (() => {
    const editor = this
    const disposable = { dispose: () => undefined }
    const provider =
      (name: string) =>
      (_: string, each: object): object => {
        editor.providers.set(name, each)
        return disposable
      }
    const settings = { get: () => "" }
    class Range {
      readonly start: object
      readonly end: object
      constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
        this.start = { line: startLine, character: startCharacter }
        this.end = { line: endLine, character: endCharacter }
      }
    }
    const record = (...names: ReadonlyArray<string>) =>
      class {
        constructor(...values: ReadonlyArray<unknown>) {
          for (const [at, name] of names.entries()) Object.assign(this, { [name]: values[at] })
        }
      }
    return {
      Range,
      Uri: { parse: (text: string) => ({ toString: () => text, fsPath: text }) },
      Location: record("uri", "range"),
      MarkdownString: record("value"),
      Hover: record("contents", "range"),
      Diagnostic: record("range", "message", "severity"),
      TextEdit: record("range", "newText"),
      CompletionItem: record("label", "kind"),
      CodeLens: record("range", "command"),
      CodeAction: record("title", "kind"),
      CodeActionKind: { QuickFix: "quickfix" },
      WorkspaceEdit: class {
        readonly edits: Array<object> = []
        replace(_: unknown, range: unknown, newText: string) {
          this.edits.push({ range, newText })
        }
      },
      EventEmitter: class {
        readonly event = () => disposable
        fire() {}
        dispose() {}
      },
      languages: {
        createDiagnosticCollection: () => ({
          ...disposable,
          delete: () => undefined,
          set: (uri: unknown, diagnostics: Published[1]) => {
            const published: Published = [String(uri), diagnostics]
            const next = editor.waiting.shift()
            if (next === undefined) editor.collected.push(published)
            else next(published)
          }
        }),
        registerCompletionItemProvider: provider("completions"),
        registerHoverProvider: provider("hovers"),
        registerDefinitionProvider: provider("definitions"),
        registerCodeLensProvider: provider("lenses"),
        registerCodeActionsProvider: provider("codeActions"),
        registerDocumentFormattingEditProvider: provider("formats")
      },
      commands: {
        registerCommand: (name: string, run: (...args: ReadonlyArray<unknown>) => unknown) => {
          editor.commands.set(name, run)
          return disposable
        }
      },
      workspace: {
        get textDocuments() {
          return [...editor.documents.keys()].map((uri) => editor.document(uri))
        },
        isTrusted: true,
        workspaceFolders: undefined,
        getConfiguration: () => settings,
        onDidOpenTextDocument: () => disposable,
        onDidCloseTextDocument: () => disposable,
        onDidChangeConfiguration: () => disposable,
        onDidChangeTextDocument: (listener: (event: { readonly document: unknown }) => unknown) => {
          editor.changes.push(listener)
          return disposable
        }
      },
      window: {
        get activeTextEditor() {
          return editor.active === undefined ? undefined : { document: editor.document(editor.active) }
        },
        showErrorMessage: (text: string) => editor.errors.push(text),
        showInformationMessage: (text: string) => editor.messages.push(text)
      }
    }
  })()

  /** Opens a document. */
  open(uri: string, languageId: string, text: string): void {
    this.documents.set(uri, { version: 1, text, languageId })
  }

  /** Changes the text of a document. */
  change(uri: string, text: string): void {
    const known = this.documents.get(uri)
    if (known === undefined) throw new Error(`${uri} is not open`)
    this.documents.set(uri, { ...known, version: known.version + 1, text })
    for (const listener of this.changes) listener({ document: this.document(uri) })
  }

  /** Makes a document the active one. */
  show(uri: string): void {
    this.active = uri
  }

  /** Returns the next published diagnostics. */
  published(): Promise<Published> {
    return new Promise((resolve) => {
      const known = this.collected.shift()
      if (known === undefined) this.waiting.push(resolve)
      else resolve(known)
    })
  }

  /** Calls a provider, with the document of a URI. */
  // biome-ignore lint/suspicious/noExplicitAny: results have the shapes of the editor's own interface
  provide(provider: string, method: string, subject: unknown, ...args: ReadonlyArray<unknown>): Promise<any> {
    return this.providers.get(provider)[method](typeof subject === "string" ? this.document(subject) : subject, ...args)
  }

  /** Runs a command. */
  execute(name: string, ...args: ReadonlyArray<unknown>): Promise<unknown> {
    return Promise.resolve(this.commands.get(name)?.(...args))
  }

  private document(uri: string) {
    const { languageId, text, version } = this.documents.get(uri) ?? { languageId: "", text: "", version: 0 }
    return { uri: { toString: () => uri, fsPath: uri }, languageId, version, getText: () => text }
  }
}

/** The diagnostics of a document, by its URI. */
type Published = readonly [
  uri: string,
  diagnostics: ReadonlyArray<{ readonly range: unknown; readonly message: string; readonly severity: number }>
]
