import { password } from "../../src/clients.ts"

/** A response with its text. */
export interface Shown {
  readonly status: number
  readonly type: string
  readonly text: string
  /** The target of a redirect. */
  readonly to: string | null
}

/** Requests the pages of a forge with the cookies of one browser. */
export interface Visitor {
  readonly cookies: ReadonlyMap<string, string>
  readonly go: (path: string) => Promise<Shown>
}

type Handler = (request: Request) => Promise<Response>

const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([\w-]+)" value="([^"]*)">/g)].map(([, name = "", value = ""]) => [
      name,
      value
    ])
  )

/** Opens a browser without scripts, signed in as a user of the demo world or anonymous. */
export const visitorOf = async (handler: Handler, url: string, name?: string, secret = password): Promise<Visitor> => {
  const cookies = new Map<string, string>()
  const send = async (path: string, fields?: Record<string, string>): Promise<Shown> => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ")
    const response = await handler(
      new Request(`${url}${path}`, {
        method: fields === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: {
          accept: "text/html",
          "accept-language": "en",
          ...(cookie === "" ? {} : { cookie }),
          ...(fields === undefined ? {} : { origin: url, "content-type": "application/x-www-form-urlencoded" })
        },
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() })
      })
    )
    for (const header of response.headers.getSetCookie()) {
      const [pair = ""] = header.split(";")
      const equals = pair.indexOf("=")
      cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      to: response.headers.get("location"),
      text: await response.text()
    }
  }
  if (name !== undefined) {
    const { text } = await send("/user/login")
    const { status } = await send("/user/login", { ...hidden(text), user_name: name, password: secret })
    if (status !== 303) throw new Error(`${name} could not sign in: ${status}`)
  }
  return { cookies, go: (path) => send(path) }
}
