import { createServer, type IncomingMessage } from "node:http"
import { createForge } from "@slipway/embed"

/** Who is signed in to the program itself, by the secret that their cookie holds. */
export const sessions = new Map<string, string>()

const userOf = ({ headers }: IncomingMessage) =>
  sessions.get(/(?:^|; )session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "")

/** Serves a forge by Node's own server, to the users that the program has signed in. */
export const start = async (port: number) => {
  const forge = await createForge({ url: `http://localhost:${port}` })
  const server = createServer(forge.listener(userOf))
  await new Promise<void>((listening) => server.listen(port, listening))
  return { forge, server }
}

if (import.meta.main) await start(3000)
