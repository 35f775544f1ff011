import { createForge, type Forge } from "@slipway/embed"

/** The address of the forge under test. */
export const rootUrl = "https://forge.example"

/** The password of every user of the test site. */
export const password = "correct horse battery"

const cookieIn = (header: string): readonly [name: string, value: string] => {
  const [pair = ""] = header.split(";")
  const equals = pair.indexOf("=")
  return [pair.slice(0, equals), pair.slice(equals + 1)]
}

/** A response with the text of the page. */
export interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The target of a redirect. */
  readonly to: string | null
}

/** A browser without scripts: it keeps cookies, and submits form fields unchanged. */
export const openBrowser = (forge: Forge, language = "en") => {
  const cookies = new Map<string, string>()
  const send = async (
    method: string,
    path: string,
    fields?: Record<string, string>,
    more: Record<string, string> = {}
  ): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await forge.handler(
      new Request(`${rootUrl}${path}`, {
        method,
        headers: {
          accept: "text/html",
          "accept-language": language,
          ...(cookie === "" ? {} : { cookie }),
          ...(fields === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin: rootUrl }),
          ...more
        },
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() })
      })
    )
    for (const header of response.headers.getSetCookie()) {
      const [name, value] = cookieIn(header)
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      to: response.headers.get("location")
    }
  }
  const go = (path: string, more?: Record<string, string>) => send("GET", path, undefined, more)
  /**
   * Sends the form with this action, including its hidden fields; if a page has several, the one that has these
   * fields.
   */
  const fill = async (at: string, action: string, fields: Record<string, string>): Promise<Shown> => {
    const { text } = await go(at)
    const forms = text
      .split(/<form /)
      .filter((each) => each.includes(`action="${action.replaceAll("&", "&amp;")}"`))
      .map((form) =>
        [...form.matchAll(/<input type="hidden" name="([\w-]+)" value="([^"]*)">/g)].map(
          ([, name = "", value = ""]) => [name, value] as const
        )
      )
    const isMeant = (own: ReadonlyArray<readonly [string, string]>) =>
      own.every(([name, value]) => name === "form" || name === "idempotency_key" || fields[name] === value)
    const hidden = forms.find(isMeant) ?? forms[0] ?? []
    return send("POST", action, { ...Object.fromEntries(hidden), ...fields })
  }
  return {
    cookies,
    go,
    post: (path: string, fields: Record<string, string>, more?: Record<string, string>) =>
      send("POST", path, fields, more),
    fill,
    signIn: (name: string, more: Record<string, string> = {}) =>
      fill("/user/login", "/user/login", { user_name: name, password, ...more })
  }
}

/** A forge with the administrator root, and the user ann. */
export const makeSite = async (): Promise<Forge> => {
  const forge = await createForge({
    administrator: { name: "root", email: "root@example.com", password },
    url: rootUrl
  })
  await forge.actAs("root").admin.user.create({
    body: { username: "ann", email: "ann@example.com", password, must_change_password: false }
  })
  return forge
}

/** Writes a file to a repository of ann's. */
export const writeFile = (
  forge: Forge,
  repository: string,
  path: string,
  content: string | Uint8Array,
  message = `Add ${path}`
) =>
  forge.actAs("ann").repository.contents.create({
    params: { username: "ann", reponame: repository, "*": path },
    // The API takes base64, which the method's types do not state.
    body: { content: Buffer.from(content).toString("base64") as never, message }
  })

/** Makes the request of a browser that uploads files. The body is buffered, so that the server may stop reading it. */
export const uploadOf = async (path: string, form: FormData, cookies: ReadonlyMap<string, string> = new Map()) => {
  const encoded = new Response(form)
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  return new Request(`${rootUrl}${path}`, {
    method: "POST",
    body: await encoded.arrayBuffer(),
    headers: {
      origin: rootUrl,
      "content-type": encoded.headers.get("content-type") ?? "",
      ...(cookie === "" ? {} : { cookie })
    }
  })
}
