/** The part of the API of VS Code that the extension uses. The editor provides the module at run time. */
declare module "vscode" {
  export class Position {
    constructor(line: number, character: number)
    readonly line: number
    readonly character: number
  }
  export class Range {
    constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number)
  }
  export class Uri {
    static parse(text: string): Uri
    readonly fsPath: string
    toString(): string
  }
  export class Location {
    constructor(uri: Uri, range: Range)
  }
  export class MarkdownString {
    constructor(value: string)
  }
  export class Hover {
    constructor(contents: MarkdownString, range?: Range)
  }
  export class Diagnostic {
    constructor(range: Range, message: string, severity: number)
    source?: string
    data?: unknown
  }
  export class TextEdit {
    constructor(range: Range, newText: string)
  }
  export class WorkspaceEdit {
    replace(uri: Uri, range: Range, newText: string): void
  }
  export class CompletionItem {
    constructor(label: string, kind?: number)
    detail?: string
    documentation?: MarkdownString
    range?: Range
    insertText?: string
  }
  export class CodeLens {
    constructor(range: Range, command: Command)
  }
  export class CodeAction {
    constructor(title: string, kind: unknown)
    edit?: WorkspaceEdit
    diagnostics?: ReadonlyArray<Diagnostic>
    isPreferred?: boolean
  }
  export const CodeActionKind: { readonly QuickFix: unknown }
  export interface Command {
    readonly title: string
    readonly command: string
    readonly arguments?: ReadonlyArray<unknown>
  }
  export interface Disposable {
    dispose(): unknown
  }
  export interface TextDocument {
    readonly uri: Uri
    readonly languageId: string
    readonly version: number
    getText(): string
  }
  export type Event<A> = (listener: (event: A) => unknown) => Disposable
  export class EventEmitter<A> {
    readonly event: Event<A>
    fire(value: A): void
    dispose(): void
  }
  export interface ExtensionContext {
    readonly subscriptions: Array<Disposable>
    asAbsolutePath(path: string): string
  }
  export interface DiagnosticCollection extends Disposable {
    set(uri: Uri, diagnostics: ReadonlyArray<Diagnostic>): void
    delete(uri: Uri): void
  }
  export const languages: {
    createDiagnosticCollection(name: string): DiagnosticCollection
    registerCompletionItemProvider(selector: string, provider: object, ...triggers: ReadonlyArray<string>): Disposable
    registerHoverProvider(selector: string, provider: object): Disposable
    registerDefinitionProvider(selector: string, provider: object): Disposable
    registerCodeLensProvider(selector: string, provider: object): Disposable
    registerCodeActionsProvider(selector: string, provider: object): Disposable
    registerDocumentFormattingEditProvider(selector: string, provider: object): Disposable
  }
  export const commands: {
    registerCommand(name: string, run: (...args: Array<never>) => unknown): Disposable
  }
  export const workspace: {
    readonly textDocuments: ReadonlyArray<TextDocument>
    readonly isTrusted: boolean
    readonly workspaceFolders: ReadonlyArray<{ readonly uri: Uri }> | undefined
    readonly onDidOpenTextDocument: Event<TextDocument>
    readonly onDidCloseTextDocument: Event<TextDocument>
    readonly onDidChangeTextDocument: Event<{ readonly document: TextDocument }>
    readonly onDidChangeConfiguration: Event<{ affectsConfiguration(name: string): boolean }>
    getConfiguration(section: string): { get(name: string): unknown }
  }
  export const window: {
    readonly activeTextEditor: { readonly document: TextDocument } | undefined
    showErrorMessage(text: string): unknown
    showInformationMessage(text: string): unknown
  }
}
