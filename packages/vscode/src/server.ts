import { spawn } from "node:child_process"
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter
} from "vscode-languageserver/node"

/** The language server, which runs in a separate process. */
export interface RunningServer {
  readonly connection: ProtocolConnection
  readonly stop: () => Promise<void>
}

/** Starts the bundled language server and initializes it. Optionally loads custom access rules. */
export const startServer = async (
  bundle: string,
  rules: string | undefined,
  folder: string | undefined,
  onExit: (code: number | null, errors: string) => void
): Promise<RunningServer> => {
  const args = ["access", "lsp", ...(rules === undefined ? [] : ["--rules", rules])]
  // The editor runs as Electron, which then starts as Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" }
  const server = spawn(process.execPath, [bundle, ...args], { cwd: folder, env, stdio: "pipe" })
  let stopped = false
  let errors = ""
  server.stderr.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-4_000)
  })
  const exited = new Promise<void>((resolve) => {
    server.once("close", (code) => {
      resolve()
      if (!stopped) onExit(code, errors)
    })
    server.once("error", (problem) => {
      errors = problem.message
    })
  })
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin)
  )
  connection.listen()
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: { workspace: { codeLens: { refreshSupport: true } } }
  })
  await connection.sendNotification("initialized", {})
  return {
    connection,
    stop: async () => {
      stopped = true
      await connection.sendRequest("shutdown").catch(() => undefined)
      await connection.sendNotification("exit").catch(() => undefined)
      await exited
      connection.dispose()
    }
  }
}
