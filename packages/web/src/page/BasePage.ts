import type { Html } from "../html/Html.ts"
import type { BaseTexts } from "../texts/BaseTexts.ts"
import type { Language } from "../texts/language.ts"
import type { FormState, Problems } from "./FormState.ts"
import type { Frame } from "./Frame.ts"

/** One request for a page of any service; each service adds its client and its user. */
export interface BaseVisit {
  readonly url: URL
  /** The address of the site as browsers know it, without a path. */
  readonly rootUrl: string
  /** The named parts of the path, decoded; `*` is the rest. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The user who is signed in. */
  readonly viewer: object | undefined
  readonly texts: BaseTexts
  readonly language: Language
  readonly now: Date
  /** The values of the page's form, and their errors. */
  readonly form: FormState
  /** The CSRF token, which is the value of a hidden field in each form. */
  readonly csrf: string
  /** The headers of the browser that the service records, such as its user agent. */
  readonly headers: Headers
}

/** The result of a view: the layout, navigation and status are added around it. */
export interface View {
  readonly title: string
  readonly body: Html
  /** The heading and tabs above the body; see `frames.ts`. */
  readonly frame?: Frame | undefined
  readonly status?: number
  /** The path of the page's feeds, without `.rss` and `.atom`. */
  readonly feeds?: string | undefined
}

/** A response that is not an HTML document, such as a feed. */
export interface TextView {
  readonly contentType: string
  readonly text: string
}

/** The result of sending a form. */
export type Submitted =
  | { readonly to: string; readonly cookies?: ReadonlyArray<string> }
  /** The page is shown again with the typed values, and with these messages. */
  | { readonly problems: Problems; readonly status?: number }
  /** The page is shown again with this value in its form state. */
  | { readonly outcome: unknown }

/** A page: its address and operations, and how to load, show and submit it. */
export interface BasePage<V extends BaseVisit = BaseVisit, Operation extends string = string, Data = unknown> {
  /** The address, for the forge as in Gitea: `:name` is one part, `*` the rest. */
  readonly path: `/${string}`
  /** Every operation of the API that the loader and the form use; any other operation throws. */
  readonly operations: ReadonlyArray<Operation>
  /** Whether the page takes precedence over the routes of the API, one of which has the same address. */
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

/** Thrown by loaders for a missing resource. The visitor gets the same page as for a 404 response of the service. */
export class NotFound extends Error {}

/** Thrown by loaders to redirect to another page. */
export class Redirect extends Error {
  readonly to: string
  constructor(to: string) {
    super(`redirect to ${to}`)
    this.to = to
  }
}
