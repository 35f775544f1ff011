import type { Asset } from "../assets/Asset.ts"
import type { Html } from "../html/Html.ts"
import type { BaseTexts } from "../texts/BaseTexts.ts"
import type { Language } from "../texts/language.ts"
import type { FormState, Problems } from "./FormState.ts"
import type { Frame } from "./Frame.ts"

/** One request for a page of any service (a visit). Each service adds its API client and its user. */
export interface BaseVisit {
  readonly url: URL
  /** The URL of the site that the browser uses, without a path. */
  readonly rootUrl: string
  /** The named segments of the path, decoded. The value of `*` is the remaining path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The user who is signed in. */
  readonly viewer: object | undefined
  readonly texts: BaseTexts
  readonly language: Language
  readonly now: Date
  /** The typed values of the form of the page, and their error messages. */
  readonly form: FormState
  /** The CSRF token. Each form contains it in a hidden field. */
  readonly csrf: string
  /** The headers of the browser that the service records, such as its user agent. */
  readonly headers: Headers
}

/** The content of a page. The layout, the navigation and the status are added to it. */
export interface View {
  readonly title: string
  readonly body: Html
  /** The heading and tabs above the content. See `frames.ts`. */
  readonly frame?: Frame | undefined
  readonly status?: number
  /** The script and the stylesheet that only this page needs, in addition to those of all pages. */
  readonly assets?: { readonly script: Asset; readonly style: Asset }
  /** The path of the feeds of the page, without the extensions `.rss` and `.atom`. */
  readonly feeds?: string | undefined
}

/** A response that is not an HTML document, such as a feed. */
export interface TextView {
  readonly contentType: string
  /** The whole text, or a stream such as one of server-sent events. */
  readonly text: string | ReadableStream<Uint8Array>
  /** The name of the file under which the browser stores the text instead of showing it. */
  readonly fileName?: string
}

/** The result of a submitted form: a redirect, error messages, or a value to show. */
export type Submitted =
  | { readonly to: string; readonly cookies?: ReadonlyArray<string> }
  /** Shows the page again with the typed values, these error messages, and an optional value in its form state. */
  | { readonly problems: Problems; readonly status?: number; readonly outcome?: unknown }
  /** Shows the page again with this value in its form state. */
  | { readonly outcome: unknown }

/**
 * The declaration of a page: its path and API operations, and functions that load its data, render it and handle its
 * form.
 */
export interface BasePage<V extends BaseVisit = BaseVisit, Operation extends string = string, Data = unknown> {
  /**
   * The path of the page; the paths of the forge are the same as in Gitea. `:name` matches one segment, and `*` the
   * remaining path.
   */
  readonly path: `/${string}`
  /** Every API operation that the page uses to load data and to handle the form. Any other operation throws. */
  readonly operations: ReadonlyArray<Operation>
  /** Whether the page takes precedence over the API. Needed if a route of the API matches the same path. */
  readonly first?: boolean
  /** Whether the page requires a signed-in user; other visitors are redirected to the sign-in page. */
  readonly signIn?: boolean
  readonly load: (visit: V) => Promise<Data>
  readonly view: (data: Data, visit: V) => TextView | View
  /** Whether the form may have files. */
  readonly uploads?: boolean
  /** Handles `POST` to the same address. */
  readonly submit?: (visit: V) => Promise<Submitted>
}

/**
 * Thrown while a page loads data, if a resource is missing. The user gets the same error page as for a 404 response of
 * the service.
 */
export class NotFound extends Error {}

/** Thrown while a page loads data, to redirect to another page. */
export class Redirect extends Error {
  readonly to: string
  constructor(to: string) {
    super(`redirect to ${to}`)
    this.to = to
  }
}
