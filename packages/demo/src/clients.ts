import { createForgeClient, type Methods } from "@slipway/client/forge"

/** Sends a request to the forge: within this process, or over the network. */
export type Send = (request: Request) => Promise<Response>

/** The password of every user of the demo world. */
export const password = "demo demo demo"

/** The first administrator. */
export const administrator = { name: "root", email: "root@brightwater.example", password }

/** A signed-in user of the demo world, with the typed client. */
export interface Person {
  readonly name: string
  readonly forge: Methods
  /** Sends a request that the typed client lacks, such as an upload of a package. */
  readonly send: (method: string, path: string, body?: RequestInit["body"]) => Promise<Response>
}

/** Creates a user's access token with the password, and returns the user with that token. */
export const signIn = async (url: string, send: Send, name: string): Promise<Person> => {
  const basic = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`
  const byPassword = createForgeClient({ url, fetch: send, retries: 0, headers: { authorization: basic } })
  const { sha1: token } = await byPassword.user.token.create({
    params: { username: name },
    body: { name: "laptop", scopes: ["all"] }
  })
  return {
    name,
    forge: createForgeClient({ url, fetch: send, retries: 0, token: token ?? "" }),
    send: async (method, path, body) => {
      const response = await send(
        new Request(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body })
        })
      )
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response
    }
  }
}
