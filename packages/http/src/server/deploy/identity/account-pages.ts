import { authorizeNamed } from "@slipway/deploy/entry"
import { Accounts, Sessions, Tokens } from "@slipway/deploy/identity"
import { millisecondsOf, now, timeOf } from "@slipway/domain"
import { abilities } from "@slipway/domain/deploy/access"
import type { Caller } from "@slipway/domain/deploy/entry"
import { OutsideProvider } from "@slipway/domain/sign-in"
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { formField, readForm, setBrowserCookie } from "../../pages/forms.ts"
import { type Html, html, page, problemLine } from "../../pages/html.ts"
import { answerFailures, type Browser, browser, withoutSession, withProvider } from "./browser.ts"
import { signInPaths } from "./sign-in-pages.ts"

/** The paths of the pages about the signed-in account. */
export const accountPaths = {
  account: "/account",
  password: "/account/password",
  sessions: "/account/sessions",
  end: "/account/sessions/end",
  unlink: "/account/identities/unlink",
  tokens: "/account/tokens",
  revoke: "/account/tokens/revoke"
} as const

const toSignIn = () => HttpServerResponse.redirect(signInPaths.signIn, { status: 303 })
const back = () => HttpServerResponse.redirect(accountPaths.account, { status: 303 })

/** A message to show at the top of the page, and the HTTP status of the response. */
interface Notice {
  readonly problem?: string
  readonly said?: Html
  readonly status?: number
}

const passwordForm = (field: Html) => html`<h2>Password</h2>
<form method="post" action="${accountPaths.password}">${field}
<label>Present password
<input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<label>New password
<input type="password" name="new" autocomplete="new-password" required minlength="8" maxlength="256"></label>
<button>Change the password</button></form>
<p>All other sessions end with the password.</p>`

const tokenForm = (field: Html) => html`<form method="post" action="${accountPaths.tokens}">${field}
<label>Name <input name="name" required maxlength="255"></label>
${abilities.map((ability) => html`<label><input type="checkbox" name="ability" value="${ability}"> ${ability}</label>`)}
<label>Expires after days <input type="number" name="days" value="90" required min="1" max="3650"></label>
<button>Create a token</button></form>`

const accountPage = Effect.fnUntraced(function* (asking: Browser, caller: Caller, notice: Notice = {}) {
  const { account, hasPassword, identities } = yield* Accounts.own(yield* authorizeNamed(caller, "account.own", {}))
  const sessions = yield* Sessions.list(yield* authorizeNamed(caller, "account.session.list", {}))
  const tokens = yield* Tokens.listOwn(yield* authorizeNamed(caller, "account.token.list", {}))
  const provider = yield* OutsideProvider
  const field = yield* formField(asking)
  const current = caller.session?.uuid
  const body = html`${problemLine(notice.problem)}${notice.said ?? html``}
<p>You are signed in as <strong>${account.name}</strong>${account.isRoot ? ", a root account" : ""}.</p>
<form method="post" action="${signInPaths.signOut}">${field}<button>Sign out</button></form>
<h2>Sessions</h2>
<ul>${sessions.map(
    ({ address, agent, createdAt, uuid }) =>
      html`<li>${agent === "" ? "Unknown program" : agent}, ${address}, since ${createdAt}${
        uuid === current
          ? " (this one)"
          : html`
<form class="inline" method="post" action="${accountPaths.end}">${field}<input type="hidden" name="session" value="${uuid}"><button>End this session</button></form>`
      }</li>`
  )}</ul>
<form method="post" action="${accountPaths.sessions}">${field}<button>Sign out everywhere</button></form>
<h2>Ways to sign in</h2>
<ul>${hasPassword ? html`<li>Name and password</li>` : html``}${identities.map(
    ({ issuer, subject, uuid }) =>
      html`<li>${issuer}: ${subject}
<form class="inline" method="post" action="${accountPaths.unlink}">${field}<input type="hidden" name="identity" value="${uuid}"><button>Unlink</button></form></li>`
  )}</ul>
${
  provider === undefined
    ? html``
    : html`<form method="post" action="${signInPaths.link}">${field}<button>Link ${provider.name}</button></form>`
}
${hasPassword ? passwordForm(field) : html``}
<h2>Tokens</h2>
<ul>${tokens.map(
    ({ abilities: held, expiresAt, name, uuid }) =>
      html`<li><strong>${name}</strong>: ${held.join(", ")}${expiresAt === null ? "" : `, until ${expiresAt}`}
<form class="inline" method="post" action="${accountPaths.revoke}">${field}<input type="hidden" name="token" value="${uuid}"><button>Revoke</button></form></li>`
  )}</ul>
${tokenForm(field)}`
  const status = notice.status ?? 200
  return setBrowserCookie(asking, page("Your account", body, { leadsTo: provider?.issuer, status }))
})

const show = Effect.gen(function* () {
  const asking = yield* browser
  return asking.caller === undefined ? toSignIn() : yield* accountPage(asking, asking.caller)
}).pipe(answerFailures)

const endSessions = Effect.gen(function* () {
  const asking = yield* browser
  yield* readForm(asking)
  if (asking.caller === undefined) return toSignIn()
  yield* Sessions.endAll(yield* authorizeNamed(asking.caller, "account.session.end", {}))
  return withoutSession(asking, toSignIn())
}).pipe(answerFailures)

const endSession = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  if (asking.caller === undefined) return toSignIn()
  const proof = yield* authorizeNamed(asking.caller, "account.session.end", {})
  // A session that has ended already has the wanted state.
  yield* Effect.catchTag(Sessions.end(proof, form.get("session") ?? ""), "SessionNotFound", () => Effect.void)
  return back()
}).pipe(answerFailures)

const unlinkIdentity = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const { caller } = asking
  if (caller === undefined) return toSignIn()
  const proof = yield* authorizeNamed(caller, "account.identity.unlink", {})
  return yield* Accounts.unlink(proof, form.get("identity") ?? "").pipe(
    Effect.map(back),
    Effect.catchTags({
      IdentityNotFound: () => Effect.succeed(back()),
      LastIdentity: () =>
        accountPage(asking, caller, {
          problem:
            "This identity is the only way to sign in to the account: an administrator must set a password first.",
          status: 409
        })
    })
  )
}).pipe(answerFailures)

const sendPassword = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const { caller } = asking
  if (caller === undefined) return toSignIn()
  const again = (problem: string, status: number) => accountPage(asking, caller, { problem, status })
  const proof = yield* authorizeNamed(caller, "account.password", {})
  return yield* Accounts.changePassword(proof, {
    present: Redacted.make(form.get("password") ?? ""),
    next: Redacted.make(form.get("new") ?? ""),
    address: asking.address
  }).pipe(
    Effect.flatMap(() => accountPage(asking, caller, { said: html`<p role="status">The password was changed.</p>` })),
    Effect.catchTags({
      InvalidInput: ({ problems }) => again(`New password: ${Object.values(problems).flat().join(" ")}`, 422),
      NoPassword: () => again("This account has no password.", 409),
      SignInRejected: () => again("The present password is wrong.", 401),
      SignInSlowed: ({ seconds }) => again(`Too many wrong passwords. Try again in ${seconds} seconds.`, 429)
    })
  )
}).pipe(answerFailures)

const days = 86_400_000

const createToken = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const { caller } = asking
  if (caller === undefined) return toSignIn()
  const again = (problem: string, status = 422) => accountPage(asking, caller, { problem, status })
  const name = (form.get("name") ?? "").trim()
  const held = abilities.filter((each) => form.getAll("ability").includes(each))
  const lasts = Number(form.get("days"))
  if (name === "" || name.length > 255 || !name.isWellFormed() || /\p{Cc}/u.test(name)) {
    return yield* again("The name must be one line of at most 255 characters.")
  }
  if (held.length === 0) return yield* again("Select at least one ability.")
  if (!Number.isInteger(lasts) || lasts < 1 || lasts > 3_650) return yield* again("The days must be from 1 to 3650.")
  const proof = yield* authorizeNamed(caller, "account.token.create", {})
  const expiresAt = timeOf(millisecondsOf(yield* now) + lasts * days)
  return yield* Tokens.createOwn(proof, { name, abilities: held, expiresAt }).pipe(
    Effect.flatMap(({ plain }) =>
      accountPage(asking, caller, {
        said: html`<p role="status">The token, which is shown only once: <code>${Redacted.value(plain)}</code></p>`,
        status: 201
      })
    ),
    Effect.catchTags({
      InvalidInput: ({ problems }) => again(Object.values(problems).flat().join(" ")),
      TooManyTokens: ({ most }) => again(`This account has ${most} tokens, which is the limit: revoke one first.`, 409)
    })
  )
}).pipe(answerFailures)

const revokeToken = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  if (asking.caller === undefined) return toSignIn()
  const proof = yield* authorizeNamed(asking.caller, "account.token.revoke", {})
  // A token that is revoked already has the wanted state.
  yield* Effect.catchTag(Tokens.revokeOwn(proof, form.get("token") ?? ""), "TokenNotFound", () => Effect.void)
  return back()
}).pipe(answerFailures)

/** Layer with the page about the signed-in account, its sessions and its tokens. */
export const accountRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", accountPaths.account, withProvider(show))
    yield* router.add("POST", accountPaths.password, withProvider(sendPassword))
    yield* router.add("POST", accountPaths.sessions, endSessions)
    yield* router.add("POST", accountPaths.end, endSession)
    yield* router.add("POST", accountPaths.unlink, withProvider(unlinkIdentity))
    yield* router.add("POST", accountPaths.tokens, withProvider(createToken))
    yield* router.add("POST", accountPaths.revoke, revokeToken)
  })
)
