import { Effect } from "effect"

/** A response of a service under test. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A service under test. */
interface Served<A extends Answer> {
  readonly fetch: (
    method: string,
    path: string,
    sent: { readonly headers: Record<string, string>; readonly raw?: string }
  ) => Effect.Effect<A>
}

/** A test browser: keeps cookies, follows redirects within the service, and submits forms. */
export const browserOf = <A extends Answer>(api: Served<A>, rootUrl: string) => {
  const cookies = new Map<string, string>()
  const keep = (answer: A) => {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === "" || /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const header = () => ({ cookie: [...cookies].map((pair) => pair.join("=")).join("; ") })

  /** Requests a page and follows its redirects; the last response is a page or a redirect to another site. */
  const go = (
    method: string,
    path: string,
    form?: Record<string, string>
  ): Effect.Effect<A & { readonly path: string }> =>
    Effect.gen(function* () {
      const answer = keep(
        yield* api.fetch(method, path, {
          headers: {
            ...header(),
            accept: "text/html",
            ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin: rootUrl })
          },
          ...(form === undefined ? {} : { raw: new URLSearchParams(form).toString() })
        })
      )
      const location = answer.headers.get("location")
      if (location === null || answer.status < 300 || answer.status > 399) return { ...answer, path }
      const to = new URL(location, `${rootUrl}${path}`)
      return to.origin === rootUrl ? yield* go("GET", `${to.pathname}${to.search}`) : { ...answer, path }
    })

  /** Submits the form of a page with the given fields. */
  const fill = (page: A & { readonly path: string }, filled: Record<string, string> = {}) => {
    const form = /<form method="post" action="([^"]*)"([\s\S]*?)<\/form>/.exec(page.text)
    const hidden = [...(form?.[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name ?? "", value ?? ""]))
    return go("POST", form?.[1] ?? page.path, { ...fields, ...filled })
  }

  return { cookies, header, go, fill }
}
