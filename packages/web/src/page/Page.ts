import type { Highlight } from "../code/Highlighter.ts"
import type { ForgeCaller, Operation } from "../forge/ForgeCaller.ts"
import type { Html } from "../html/Html.ts"
import type { Language } from "../texts/language.ts"
import type { Texts } from "../texts/Texts.ts"
import type { FormState, Problems } from "./FormState.ts"
import type { Frame } from "./Frame.ts"

/** The user who is signed in. */
export interface Viewer {
  readonly login: string
  readonly full_name: string
  readonly avatar_url: string
  readonly is_admin: boolean
}

/** Renders Markdown to sanitized HTML; `folder` is where relative links in it start. A comment keeps its line breaks. */
export type RenderMarkdown = (
  text: string,
  place: {
    readonly repository: string
    /** A branch, tag or commit; undefined for pages of a wiki. */
    readonly tree: string | undefined
    readonly folder: string
    readonly kind?: "comment" | "wiki"
    /** The paths that references such as `#1` and `@ann` lead to; others stay text. */
    readonly links?: ReadonlyMap<string, string>
  }
) => Promise<Html>

/** One request for a page, with the data for its loader and view. */
export interface Visit {
  readonly url: URL
  /** The named parts of the path, decoded; `*` is the rest. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The operations that the page declares, with the viewer's permissions. */
  readonly forge: ForgeCaller
  readonly viewer: Viewer | undefined
  readonly texts: Texts
  readonly language: Language
  readonly now: Date
  /** The values of the page's form, and their errors. */
  readonly form: FormState
  /** The value of the hidden field that proves that a form came from a page of this browser. */
  readonly csrf: string
  readonly highlight: Highlight
  readonly markdown: RenderMarkdown
  /** The headers of the browser that the forge records, such as its user agent. */
  readonly headers: Headers
  readonly signInWays: SignInWays
}

/** The ways to sign in other than with a password. */
export interface SignInWays {
  /** Whether a forgotten password can be reset by email. */
  readonly passwordReset: boolean
  /** Whether visitors create accounts. */
  readonly registration: boolean
  /** The name of the external provider; undefined without one. */
  readonly external: string | undefined
}

/** The result of a view: the layout, navigation and status are added around it. */
export interface View {
  readonly title: string
  readonly body: Html
  /** The heading and tabs above the body; see `frames.ts`. */
  readonly frame?: Frame | undefined
  readonly status?: number
}

/** The result of sending a form. */
export type Submitted =
  | { readonly to: string; readonly cookies?: ReadonlyArray<string> }
  /** The page is shown again with the typed values, and with these messages. */
  | { readonly problems: Problems; readonly status?: number }
  /** The page is shown again with this value in its form state. */
  | { readonly outcome: unknown }

/** A page: its address and operations, and how to load, show and submit it. */
export interface Page<Data = unknown> {
  /** The address as in Gitea: `:name` is one part, `*` the rest. */
  readonly path: `/${string}`
  /** Every operation of the API that the loader and the form use; others throw. */
  readonly operations: ReadonlyArray<Operation>
  /** Whether it is asked before the routes of the API, one of which has the same address. */
  readonly first?: boolean
  /** Whether only signed-in users have this page: others are sent to the sign-in page. */
  readonly signIn?: boolean
  readonly load: (visit: Visit) => Promise<Data>
  readonly view: (data: Data, visit: Visit) => View
  /** Whether the form may have files. */
  readonly uploads?: boolean
  /** Handles `POST` to the same address. */
  readonly submit?: (visit: Visit) => Promise<Submitted>
}

/** Declares a page; the type of its data follows from `load`. */
export const page = <Data>(declared: Page<Data>): Page => declared as Page

/** Thrown by loaders for a missing resource, with the same page as the forge's 404. */
export class NotFound extends Error {}

/** Thrown by loaders to redirect to another page. */
export class Redirect extends Error {
  readonly to: string
  constructor(to: string) {
    super(`redirect to ${to}`)
    this.to = to
  }
}
