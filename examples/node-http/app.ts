import { createServer, type IncomingMessage } from "node:http"
import { createForge } from "@slipway/embed"

/** The program's own sessions: the signed-in user by the secret in the session cookie. */
export const sessions = new Map<string, string>()

const userOf = ({ headers }: IncomingMessage) =>
  sessions.get(/(?:^|; )session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "")

/** Serves a forge with Node's HTTP server to users of the program's own sessions. */
export const start = async (port: number) => {
  const forge = await createForge({ url: `http://localhost:${port}` })
  const server = createServer(forge.listener(userOf))
  await new Promise<void>((listening) => server.listen(port, listening))
  return { forge, server }
}

if (import.meta.main) await start(3000)
