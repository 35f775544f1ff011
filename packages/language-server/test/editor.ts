import { PassThrough } from "node:stream"
import { serveStreams } from "@slipway/language-server"
import {
  type CompletionItem,
  createProtocolConnection,
  type Hover,
  type InitializeResult,
  type Location,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter
} from "vscode-languageserver/node"

/** The address of the open file. */
export const uri = "file:///company.access"

/** Opens a connection to a server in this process, as an editor does. */
export const connected = async (options: Parameters<typeof serveStreams>[2] = {}) => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  serveStreams(toServer, toClient, options)
  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  const published: Array<PublishDiagnosticsParams> = []
  const waiting: Array<(value: PublishDiagnosticsParams) => void> = []
  connection.onNotification("textDocument/publishDiagnostics", (value: PublishDiagnosticsParams) => {
    const next = waiting.shift()
    if (next === undefined) published.push(value)
    else next(value)
  })
  connection.listen()
  const request = <A>(method: string, params: object): Promise<A> => connection.sendRequest(method, params)
  const { capabilities, serverInfo } = await request<InitializeResult>("initialize", {
    processId: null,
    rootUri: null,
    capabilities: {}
  })
  await connection.sendNotification("initialized", {})
  const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } })
  return {
    capabilities,
    serverInfo,
    request,
    open: (text: string) =>
      connection.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "access", version: 1, text }
      }),
    change: (version: number, line: number, text: string) =>
      connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: { line, character: 0 }, end: { line, character: 1_000 } }, text }]
      }),
    diagnostics: () =>
      new Promise<PublishDiagnosticsParams>((resolve) => {
        const known = published.shift()
        if (known === undefined) waiting.push(resolve)
        else resolve(known)
      }),
    labels: async (line: number, character: number) =>
      (await request<ReadonlyArray<CompletionItem>>("textDocument/completion", at(line, character))).map(
        ({ label }) => label
      ),
    hover: (line: number, character: number) => request<Hover | null>("textDocument/hover", at(line, character)),
    definition: (line: number, character: number) =>
      request<Location | null>("textDocument/definition", at(line, character)),
    end: () => connection.dispose()
  }
}

/** Returns the Markdown of a description. */
export const textOf = (hover: Hover | null): string =>
  hover !== null && "value" in (hover.contents as object) ? (hover.contents as { readonly value: string }).value : ""
