import { createForgeClient, type Methods } from "@slipway/client/forge"

/** Sends a request to the forge, either within this process or over the network. */
export type Send = (request: Request) => Promise<Response>

/** The password of every user of the demo world. */
export const password = "demo demo demo"

/** The first administrator of the demo world. */
export const administrator = { name: "root", email: "root@brightwater.example", password }

/** A signed-in user of the demo world, with the typed API client. */
export interface Person {
  readonly name: string
  readonly forge: Methods
  /** Sends a request that the typed client does not support, such as a package upload. */
  readonly send: (method: string, path: string, body?: RequestInit["body"]) => Promise<Response>
}

/**
 * Creates an access token for a user with the user's password, and returns the user with a client that uses the token.
 */
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
