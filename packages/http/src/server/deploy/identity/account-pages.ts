import { authorizeNamed } from "@slipway/deploy/entry"
import { Accounts, Sessions } from "@slipway/deploy/identity"
import { OutsideProvider } from "@slipway/domain/sign-in"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { formField, readForm, setBrowserCookie } from "../../pages/forms.ts"
import { html, page } from "../../pages/html.ts"
import { browser, served, withoutSession, withProvider } from "./browser.ts"
import { signInPaths } from "./sign-in-pages.ts"

/** The paths of the pages about the signed-in account. */
export const accountPaths = { account: "/account", sessions: "/account/sessions" } as const

const toSignIn = () => HttpServerResponse.redirect(signInPaths.signIn, { status: 303 })

const show = Effect.gen(function* () {
  const asking = yield* browser
  if (asking.caller === undefined) return toSignIn()
  const { account, identities } = yield* Accounts.own(yield* authorizeNamed(asking.caller, "account.own", {}))
  const sessions = yield* Sessions.list(yield* authorizeNamed(asking.caller, "account.session.list", {}))
  const provider = yield* OutsideProvider
  const field = yield* formField(asking)
  const current = asking.caller.session?.uuid
  const body = html`<p>You are signed in as <strong>${account.name}</strong>${account.isRoot ? ", a root account" : ""}.</p>
<form method="post" action="${signInPaths.signOut}">${field}<button>Sign out</button></form>
<h2>Sessions</h2>
<ul>${sessions.map(
    ({ address, agent, createdAt, uuid }) =>
      html`<li>${agent === "" ? "Unknown program" : agent}, ${address}, since ${createdAt}${uuid === current ? " (this one)" : ""}</li>`
  )}</ul>
<form method="post" action="${accountPaths.sessions}">${field}<button>Sign out everywhere</button></form>
<h2>Ways to sign in</h2>
<ul>${identities.map(({ issuer, subject }) => html`<li>${issuer}: ${subject}</li>`)}</ul>
${
  provider === undefined
    ? html``
    : html`<form method="post" action="${signInPaths.link}">${field}<button>Link ${provider.name}</button></form>`
}`
  return setBrowserCookie(asking, page("Your account", body, { leadsTo: provider?.issuer }))
}).pipe(served)

const endSessions = Effect.gen(function* () {
  const asking = yield* browser
  yield* readForm(asking)
  if (asking.caller === undefined) return toSignIn()
  yield* Sessions.endAll(yield* authorizeNamed(asking.caller, "account.session.end", {}))
  return withoutSession(asking, toSignIn())
}).pipe(served)

/** Serves the page about the signed-in account and its sessions. */
export const accountRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", accountPaths.account, withProvider(show))
    yield* router.add("POST", accountPaths.sessions, endSessions)
  })
)
