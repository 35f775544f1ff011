import { createHash } from "node:crypto"
import { ConnectionError, ServiceError } from "@slipway/client/forge"
import { FindMyWay } from "effect/http"
import { type Asset, serveAsset } from "../assets/Asset.ts"
import { assets } from "../assets/index.ts"
import { Moved, type Send, type ServiceAccess } from "../client/ServiceAccess.ts"
import {
  emptyForm,
  FormTooLarge,
  FormUnreadable,
  idempotentSubmission,
  largestForm,
  largestUpload,
  readForm
} from "../forms/submission.ts"
import { errorView, type Failure } from "../layout/errorViews.ts"
import { type BasePage, type BaseVisit, NotFound, Redirect, type TextView, type View } from "../page/BasePage.ts"
import type { FormState } from "../page/FormState.ts"
import {
  cookieNames,
  cookiesOf,
  csrfToken,
  formSecretIn,
  isOwnForm,
  makeFormSecret,
  removeCookie,
  setCookie
} from "../session/cookies.ts"
import { languageOf } from "../texts/language.ts"

/** The connection of the pages to the service, for one page request. */
export interface BaseReach {
  /** Sends an API request: within this process, or by `fetch` to a remote service. */
  readonly send: Send
  /** The URL of the site that the browser uses. */
  readonly rootUrl: string
  /** Whether a trusted proxy or the host program has determined the user. Then session cookies are ignored. */
  readonly identified?: boolean
  readonly requestId?: string | undefined
}

/** The web pages of a service, as functions that answer HTTP requests. */
export interface Site<R extends BaseReach> {
  /**
   * Returns whether a page exists for a method and a path. `owned` includes paths that begin with the name of an owner.
   */
  readonly has: (method: string, path: string, owned: boolean) => boolean
  /**
   * Answers a request if a page exists for its URL; otherwise returns undefined. `owned` includes paths that begin with
   * the name of an owner.
   */
  readonly answer: (request: Request, reach: R, owned: boolean) => Promise<Response | undefined>
  /** Returns the response with an error page, for example for an unknown URL. */
  readonly fail: (request: Request, reach: R, failure: Failure) => Promise<Response>
}

/** The common parts of the pages of one service: the client, the user, the layout and the sign-in. */
export interface SiteOptions<V extends BaseVisit, R extends BaseReach, M> {
  readonly pages: ReadonlyArray<BasePage<V>>
  readonly access: ServiceAccess<M>
  /** The name of the session cookie. Services on the same host need different names. */
  readonly sessionCookie: string
  /** Reads the signed-in user from the service, with the credential of the session. */
  readonly viewer: (
    access: ServiceAccess<M>
  ) => Promise<
    | { readonly ok: true; readonly value: NonNullable<V["viewer"]> }
    | { readonly ok: false; readonly error: { readonly status: number | undefined } }
  >
  /** Adds the client, the user and the messages to the data of a page request. */
  readonly visit: (
    base: Omit<BaseVisit, "texts" | "viewer">,
    context: { readonly client: M; readonly viewer: V["viewer"]; readonly reach: R }
  ) => V
  /** Returns the complete document of a page. */
  readonly document: (visit: V, view: View) => string
  /** Returns the URL of the sign-in page. After the sign-in, it redirects to `here`. */
  readonly signInAt: (here: string) => string
  /** Returns the address that a failure redirects to. */
  readonly redirectOn?: (failure: Failure) => string | undefined
  /** Returns the new URL of a page, after the API has redirected its resource to `location`. */
  readonly movedTo?: (url: URL, location: string) => string | undefined
  /** Returns the asset with a path that only some pages of this service need. */
  readonly assetAt?: (path: string) => Asset | undefined
  readonly now?: () => Date
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

/**
 * The HTTP headers of every page. They allow only scripts and styles of this site, and forbid other sites to show the
 * page in a frame.
 */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "private, no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin"
} as const

/** Returns the header that makes browsers store a response as a file; the name keeps only plain characters. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, "-")}"`

interface Found<P> {
  readonly page: P
  readonly params: Readonly<Record<string, string>>
}

const routerOf = <P extends { readonly path: `/${string}` }>(pages: ReadonlyArray<P>) => {
  const router = FindMyWay.make<P>({ caseSensitive: true, maxParamLength: 4096 })
  for (const page of pages) router.on("GET", page.path, page)
  return (path: string): Found<P> | undefined => {
    const found = router.find("GET", path)
    return found === undefined ? undefined : { page: found.handler, params: found.params as Found<P>["params"] }
  }
}

const reads: ReadonlyArray<string> = ["GET", "HEAD"]

const isOwned = ({ first = false, path }: Pick<BasePage, "first" | "path">): boolean => path.startsWith("/:") && !first

const messageOf = (error: ServiceError): string | undefined => {
  const { message } = (error.body ?? {}) as { readonly message?: unknown }
  return typeof message === "string" ? message : undefined
}

/** Returns a digest of the values of a form. It distinguishes the forms of one page, which share an idempotency key. */
const digestOf = (values: URLSearchParams): string => createHash("sha256").update(values.toString()).digest("hex")

/** Returns the status and the message to show for an error. */
const failureOf = (error: unknown): Failure => {
  if (error instanceof NotFound) return { status: 404 }
  if (error instanceof FormTooLarge) return { status: 413 }
  if (error instanceof FormUnreadable) return { status: 415 }
  if (error instanceof ServiceError) return { status: error.status, message: messageOf(error) }
  return { status: error instanceof ConnectionError ? 503 : 500 }
}

const isRejected = ({ status }: ServiceError): boolean => [400, 409, 412, 413, 422, 423].includes(status)

/** Creates the web pages of a service. They read and change data only through the API of the service. */
export const createSite = <V extends BaseVisit, R extends BaseReach, M>(options: SiteOptions<V, R, M>): Site<R> => {
  type Page = BasePage<V>
  const { access, document, now = () => new Date(), pages, sessionCookie, signInAt } = options
  const findReserved = routerOf(pages.filter((page) => !isOwned(page)))
  const findOwned = routerOf(pages.filter(isOwned))
  const submitOnce = idempotentSubmission()

  /** Reads the cookies and the session of a browser from a request. They are needed before the page is known. */
  const browserOf = (request: Request, { identified = false, rootUrl, send }: BaseReach) => {
    const secure = rootUrl.startsWith("https:")
    const names = cookieNames(secure, sessionCookie)
    const cookies = cookiesOf(request.headers)
    const known = formSecretIn(cookies.get(names.form))
    const session = identified ? undefined : cookies.get(names.session)
    const sendWith =
      (token: string | undefined): Send =>
      (sent) => {
        // A one-off credential of the page, such as a password, takes precedence over the session.
        if (token !== undefined && !sent.headers.has("authorization"))
          sent.headers.set("authorization", `Bearer ${token}`)
        return send(sent)
      }
    return {
      secure,
      names,
      secret: known ?? makeFormSecret(),
      isNew: known === undefined,
      session,
      sendWith,
      identified
    }
  }
  type Browser = ReturnType<typeof browserOf>

  /** Reads the signed-in user of a session. If the session has expired, the user is undefined. */
  const viewerOf = async ({
    identified,
    sendWith,
    session
  }: Browser): Promise<{ viewer: V["viewer"]; send: Send; ended: boolean }> => {
    if (session === undefined && !identified) return { viewer: undefined, send: sendWith(undefined), ended: false }
    const send = sendWith(session)
    const found = await access.during(send, () => options.viewer(access))
    if (found.ok) return { viewer: found.value, send, ended: false }
    if (found.error.status === 401)
      return { viewer: undefined, send: sendWith(undefined), ended: session !== undefined }
    throw found.error
  }

  const visitOf = (
    request: Request,
    url: URL,
    found: Found<Page> | undefined,
    browser: Browser,
    viewer: V["viewer"],
    form: FormState,
    reach: R
  ): V =>
    options.visit(
      {
        url,
        rootUrl: reach.rootUrl,
        params: found?.params ?? {},
        query: url.searchParams,
        language: languageOf(request.headers.get("accept-language")),
        now: now(),
        form,
        csrf: csrfToken(browser.secret),
        headers: request.headers
      },
      { client: access.declaring(found?.page.operations ?? []), viewer, reach }
    )

  const cookiesFor = ({ isNew, names, secret, secure }: Browser, ended: boolean): ReadonlyArray<string> => [
    ...(isNew ? [setCookie(names.form, secret, secure)] : []),
    ...(ended ? [removeCookie(names.session, secure)] : [])
  ]

  const responseOf = (
    visit: V,
    view: TextView | View,
    cookies: ReadonlyArray<string>,
    isHead: boolean,
    more: Record<string, string> = {}
  ): Response => {
    const headers = new Headers({
      ...pageHeaders,
      ...("text" in view ? { "content-type": view.contentType } : {}),
      "content-language": visit.language,
      vary: "accept-language, cookie",
      ...more
    })
    for (const each of cookies) headers.append("set-cookie", each)
    if ("text" in view) {
      if (view.fileName !== undefined) headers.set("content-disposition", attachment(view.fileName))
      if (typeof view.text !== "string") {
        // Proxies that buffer or compress a stream would delay its events.
        headers.set("cache-control", "private, no-store, no-transform")
        headers.set("x-accel-buffering", "no")
        // Otherwise the connection would outlive the stream, and a stopping service would wait for it.
        headers.set("connection", "close")
        if (isHead) void view.text.cancel()
      }
      return new Response(isHead ? null : view.text, { headers })
    }
    // Any other challenge would make the browser open a password prompt.
    if (view.status === 401) headers.set("www-authenticate", "Bearer")
    return new Response(isHead ? null : document(visit, view), { status: view.status ?? 200, headers })
  }

  const redirectTo = (to: string, cookies: ReadonlyArray<string> = []): Response => {
    const headers = new Headers({
      location: to,
      "cache-control": "private, no-store",
      "referrer-policy": "same-origin"
    })
    for (const each of cookies) headers.append("set-cookie", each)
    return new Response(null, { status: 303, headers })
  }

  const failed = (visit: V, failure: Failure, reach: R, cookies: ReadonlyArray<string>, isHead: boolean): Response =>
    responseOf(
      visit,
      errorView(visit, { ...failure, requestId: reach.requestId }, signInAt),
      cookies,
      isHead,
      failure.retryAfter === undefined ? {} : { "retry-after": failure.retryAfter }
    )

  /** Returns the response for an error that a page has thrown while it loaded data or handled a form. */
  const thrown = (error: unknown, visit: V, reach: R, cookies: ReadonlyArray<string>, isHead: boolean): Response => {
    const here = `${visit.url.pathname}${visit.url.search}`
    if (error instanceof Redirect) return redirectTo(error.to, cookies)
    // The client wraps errors of its `fetch`.
    const cause = error instanceof ConnectionError ? error.cause : undefined
    if (cause instanceof Moved) {
      const to = options.movedTo?.(visit.url, cause.location)
      return to === undefined ? failed(visit, { status: 404 }, reach, cookies, isHead) : redirectTo(to, cookies)
    }
    const failure = failureOf(error)
    const elsewhere = options.redirectOn?.(failure)
    if (elsewhere !== undefined) return redirectTo(elsewhere, cookies)
    // A page that needs a sign-in redirects to it; a signed-in user gets the answer of the service.
    if (failure.status === 401 && visit.viewer === undefined) return redirectTo(signInAt(here), cookies)
    if (failure.status === 401) return failed(visit, { ...failure, status: 403 }, reach, cookies, isHead)
    if (failure.status === 500) throw error
    return failed(visit, failure, reach, cookies, isHead)
  }

  const show = async (
    page: Page,
    visit: V,
    cookies: ReadonlyArray<string>,
    isHead: boolean,
    status?: number
  ): Promise<Response> => {
    const view = page.view(await page.load(visit), visit)
    return responseOf(visit, status === undefined || "text" in view ? view : { ...view, status }, cookies, isHead)
  }

  const sent = async (
    request: Request,
    page: Page,
    submit: NonNullable<Page["submit"]>,
    make: (form: FormState) => V,
    browser: Browser,
    cookies: ReadonlyArray<string>
  ): Promise<Response> => {
    // A visitor's form is read too, so that its text is not lost, and without much memory.
    const largestFiles = make(emptyForm()).viewer === undefined ? largestForm : largestUpload
    const { files, values } = await readForm(request, page.uploads === true ? largestFiles : 0)
    const known = { ...emptyForm(), values, files }
    const again = (problems: FormState["problems"], status: number, outcome?: unknown) =>
      show(page, make({ ...known, problems, outcome }), cookies, false, status)
    const { csrf, texts } = make(known)
    // The typed values are kept: the form is shown again, with a token of this browser.
    if (!isOwnForm(csrf, values.get("form"))) return again({ "": texts.forms.csrf }, 403)
    const handle = async (): Promise<Response> => {
      try {
        const submitted = await submit(make(known))
        if ("to" in submitted)
          return redirectTo(submitted.to, [...cookies, ...access.cookies(), ...(submitted.cookies ?? [])])
        if (!("problems" in submitted)) return await again({}, 200, submitted.outcome)
        return await again(submitted.problems, submitted.status ?? 422, submitted.outcome)
      } catch (error) {
        if (!(error instanceof ServiceError) || !isRejected(error)) throw error
        return await again({ "": messageOf(error) ?? error.message }, error.status)
      }
    }
    const key = values.get("idempotency_key")
    return key === null || key === ""
      ? handle()
      : submitOnce(`${browser.secret} ${key} ${request.url} ${digestOf(values)}`, Date.now(), handle)
  }

  const answered = async (request: Request, url: URL, found: Found<Page>, reach: R): Promise<Response> => {
    const isHead = request.method === "HEAD"
    const browser = browserOf(request, reach)
    let cookies = cookiesFor(browser, false)
    let visit = visitOf(request, url, found, browser, undefined, emptyForm(), reach)
    try {
      const { ended, send, viewer } = await viewerOf(browser)
      cookies = cookiesFor(browser, ended)
      const make = (form: FormState) => visitOf(request, url, found, browser, viewer, form, reach)
      visit = make(emptyForm())
      const { page } = found
      if (page.signIn === true && viewer === undefined) throw new ServiceError(401, {})
      return await access.during(send, () =>
        request.method === "POST" && page.submit !== undefined
          ? sent(request, page, page.submit, make, browser, cookies)
          : show(page, visit, cookies, isHead)
      )
    } catch (error) {
      return thrown(error, visit, reach, cookies, isHead)
    }
  }

  const find = (method: string, path: string, owned: boolean): Found<Page> | undefined => {
    const found = owned ? findOwned(path) : findReserved(path)
    const isAnswered = reads.includes(method) || (method === "POST" && found?.page.submit !== undefined)
    return isAnswered ? found : undefined
  }
  const assetAt = (method: string, path: string, owned: boolean): Asset | undefined =>
    reads.includes(method) && !owned ? (assets.get(path) ?? options.assetAt?.(path)) : undefined

  return {
    has: (method, path, owned) => assetAt(method, path, owned) !== undefined || find(method, path, owned) !== undefined,
    answer: (request, reach, owned) => {
      const url = new URL(request.url)
      const asset = assetAt(request.method, url.pathname, owned)
      if (asset !== undefined) return Promise.resolve(serveAsset(asset, request))
      const found = find(request.method, url.pathname, owned)
      return found === undefined ? Promise.resolve(undefined) : answered(request, url, found, reach)
    },
    fail: async (request, reach, failure) => {
      const browser = browserOf(request, reach)
      const url = new URL(request.url)
      const known = await viewerOf(browser).catch(() => undefined)
      const visit = visitOf(request, url, undefined, browser, known?.viewer, emptyForm(), reach)
      return failed(visit, failure, reach, cookiesFor(browser, known?.ended === true), request.method === "HEAD")
    }
  }
}
