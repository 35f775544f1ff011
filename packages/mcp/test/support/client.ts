import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

/** Connects the official client over a transport, for the duration of a test. */
export const connected = async <A>(transport: object, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport as Transport)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** Calls a tool, and parses its result if it is JSON. */
export const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  const [part] = content as ReadonlyArray<{ readonly text: string }>
  const text = part?.text ?? ""
  return { isError, value: /^[[{]/.test(text) ? JSON.parse(text) : text }
}
