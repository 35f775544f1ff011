/** A page that the test browser loaded: status, text and URL (`at`). */
export interface SeenPage {
  readonly status: number
  readonly text: string
  readonly at: string
}

/**
 * Makes a test browser without JavaScript, for services in separate processes.
 *
 * The browser follows redirects, submits forms, and sends the cookies of a host to all of its ports.
 */
export const openBrowser = () => {
  const cookies = new Map<string, string>()
  const go = async (address: string, form?: Record<string, string>): Promise<SeenPage> => {
    const response = await fetch(address, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(60_000),
      headers: {
        cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        accept: "text/html",
        ...(form === undefined ? {} : { origin: new URL(address).origin })
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = response.headers.get("location")
    const text = await response.text()
    return to === null ? { status: response.status, text, at: address } : go(new URL(to, address).href)
  }
  /** Submits the first form of a page, or the first form with the given action. */
  const fill = ({ at, text }: SeenPage, filled: Record<string, string>, action?: string) => {
    const forms = [...text.matchAll(/<form[^>]*action="([^"]*)"([\s\S]*?)<\/form>/g)]
    const form = forms.find(([, to]) => action === undefined || to === action)
    const hidden = [...(form?.[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name ?? "", value ?? ""]))
    return go(new URL(form?.[1] ?? at, at).href, { ...fields, ...filled })
  }
  return { cookies, go, fill }
}
