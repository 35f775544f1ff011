import { createForgeClient } from "@slipway/client/forge"
import { serviceAccess } from "./client/ServiceAccess.ts"
import type { Highlight } from "./code/Highlighter.ts"
import { type BaseReach, createSite, type Site } from "./engine/createSite.ts"
import { document } from "./layout/layout.ts"
import type { RenderMarkdown, SignInWays, Visit } from "./page/Page.ts"
import { routes } from "./routing/routes.ts"
import { forgeSession } from "./session/cookies.ts"
import { catalogues } from "./texts/index.ts"

/** The options for creating the web pages of a forge. */
export interface PagesOptions {
  readonly highlight: Highlight
  readonly markdown: RenderMarkdown
  readonly now?: () => Date
}

/** The connection of the pages to the forge, for one page request. */
export interface Reach extends BaseReach {
  /** The ways to sign in that the site offers. Default: only a password. */
  readonly signInWays?: SignInWays
  /** The URL of the deployment platform. Empty if there is none, which is the default. */
  readonly deployUrl?: string
  /** Whether the site has code search. Default: no. */
  readonly codeSearch?: boolean
}

/** The web pages of a forge. */
export type Pages = Site<Reach>

const onlyPasswords: SignInWays = { passwordReset: false, registration: false, external: undefined }

/** Returns the new URL of a page after its repository or owner was renamed. `location` is the redirect of the API. */
const movedPath = ({ pathname, search }: URL, location: string): string | undefined => {
  const [, owner, name] = /\/api\/v1\/repos\/([^/?]+)\/([^/?]+)/.exec(location) ?? []
  const [, user] = /\/api\/v1\/(?:users|orgs)\/([^/?]+)/.exec(location) ?? []
  const [, , , ...rest] = pathname.split("/")
  if (owner !== undefined && name !== undefined) return `/${[owner, name, ...rest].join("/")}${search}`
  return user === undefined ? undefined : `/${user}${search}`
}

const passwordChange = "You must change your password."

/** Creates the web pages of a forge. They read and change data only through the API of the forge. */
export const createPages = ({ highlight, markdown, now = () => new Date() }: PagesOptions): Pages =>
  createSite<Visit, Reach, Visit["forge"]>({
    pages: routes,
    access: serviceAccess(createForgeClient),
    sessionCookie: forgeSession,
    viewer: (access) => access.declaring(["account.summary.read"]).account.summary.read().result(),
    visit: (base, { client, reach: { codeSearch = false, deployUrl = "", signInWays = onlyPasswords }, viewer }) => ({
      ...base,
      forge: client,
      viewer,
      texts: catalogues[base.language],
      highlight: (text, fileName, key) => highlight(text, fileName, key, viewer?.login ?? "anonymous"),
      markdown,
      signInWays,
      deployUrl,
      codeSearch
    }),
    document,
    signInAt: (here) => `/user/login?${new URLSearchParams({ redirect_to: here })}`,
    redirectOn: ({ message, status }) =>
      status === 403 && message === passwordChange ? "/user/password?must=yes" : undefined,
    movedTo: movedPath,
    now
  })
