import type { Highlight } from "../code/Highlighter.ts"
import type { ForgeCaller, Operation } from "../forge/ForgeCaller.ts"
import type { Html } from "../html/Html.ts"
import type { Texts } from "../texts/Texts.ts"
import type { BasePage, BaseVisit } from "./BasePage.ts"

export { NotFound, Redirect, type Submitted, type TextView, type View } from "./BasePage.ts"

/** The user who is signed in. */
export interface Viewer {
  readonly login: string
  readonly full_name: string
  readonly avatar_url: string
  readonly is_admin: boolean
}

/** Renders Markdown to sanitized HTML. Relative links start at `folder`. In comments, line breaks are kept. */
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

/** One request for a page of the forge, with the data that its functions need. */
export interface Visit extends BaseVisit {
  /** The API operations that the page declares, with the permissions of the viewer. */
  readonly forge: ForgeCaller
  readonly viewer: Viewer | undefined
  readonly texts: Texts
  readonly highlight: Highlight
  readonly markdown: RenderMarkdown
  readonly signInWays: SignInWays
  /** The URL of the deployment platform; empty if there is none. */
  readonly deployUrl: string
  /** Whether the site has code search. */
  readonly codeSearch: boolean
}

/** The ways to sign in that the site offers in addition to a password. */
export interface SignInWays {
  /** Whether a forgotten password can be reset by email. */
  readonly passwordReset: boolean
  /** Whether visitors create accounts. */
  readonly registration: boolean
  /** The name of the external sign-in provider; undefined if there is none. */
  readonly external: string | undefined
}

/** The declaration of a page of the forge. */
export type Page<Data = unknown> = BasePage<Visit, Operation, Data>

/** Declares a page. The type of its data is inferred from `load`. */
export const page = <Data>(declared: Page<Data>): Page => declared as Page
