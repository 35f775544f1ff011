import { passwordProblem } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { changePassword, Grants, Identities, Sessions } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { html, type PageOptions, page, problemLine } from "../../../pages/html.ts"
import {
  type Browser,
  beginSession,
  browser,
  formField,
  readForm,
  setBrowserCookie,
  signIn,
  signInFailureMessage,
  withSession
} from "./browser.ts"
import { scopeSentences } from "./scopes.ts"
import { answerFailures, credentialsIn, signInPaths } from "./signIn.ts"

/** The paths of the pages about the signed-in user's password, sessions, OAuth2 applications and linked identities. */
export const securityPaths = {
  password: "/user/password",
  sessions: "/user/settings/security/sessions",
  allSessions: "/user/settings/security/sessions/all",
  programs: "/user/settings/security/programs",
  identities: "/user/settings/security/identities"
} as const

const passwordPage = Effect.fnUntraced(function* (
  asking: Browser,
  { must = false, name, problem }: { readonly must?: boolean; readonly name: string; readonly problem?: string },
  options: PageOptions = {}
) {
  const why = must ? html`<p>You must change your password before you continue.</p>` : html``
  const body = html`${why}${problemLine(problem)}
<form method="post" action="${securityPaths.password}">
${yield* formField(asking)}
<label>Name or email address <input name="name" value="${name}" autocomplete="username" required maxlength="254"></label>
<label>Present password
<input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<label>One-time code, if you have a second factor
<input name="code" autocomplete="one-time-code" maxlength="64"></label>
<label>New password
<input type="password" name="new" autocomplete="new-password" required minlength="8" maxlength="256"></label>
<label><input type="checkbox" name="end_tokens" value="yes"> End all tokens, those of programs too</label>
<button>Change the password</button>
</form>
<p>All other sessions end with the password.</p>`
  return setBrowserCookie(asking, page("Change your password", body, options))
})

const showPassword = Effect.gen(function* () {
  const asking = yield* browser
  const query = new URLSearchParams(asking.request.url.split("?")[1] ?? "")
  const name = asking.entered?.actor.user?.name ?? query.get("name") ?? ""
  return yield* passwordPage(asking, { name, must: query.get("must") === "yes" })
})

/** Changes the password of a user who enters the current one; ends all sessions and creates a new session. */
const sendPassword = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const credentials = credentialsIn(form)
  const password = form.get("new") ?? ""
  const again = (problem: string, status: number) =>
    passwordPage(asking, { name: credentials.name, problem }, { status })
  const wrong = passwordProblem(password)
  if (wrong !== undefined) return yield* again(`The new password ${wrong}.`, 422)
  return yield* Effect.gen(function* () {
    const entered = yield* signIn(asking, credentials, true)
    const proof = yield* Entry.authorizeAndAudit("account.password.set", entered)
    yield* changePassword(proof, { password, endSessions: true, endTokens: form.get("end_tokens") === "yes" })
    const session = yield* beginSession(asking, entered)
    return withSession(asking, session, HttpServerResponse.redirect(signInPaths.security, { status: 303 }))
  }).pipe(
    Effect.catch((problem) =>
      problem._tag === "PasswordTooCommon"
        ? again("The new password is among the most common passwords.", 422)
        : problem._tag === "UserNotFound"
          ? again("The account was deleted.", 404)
          : again(signInFailureMessage(problem), problem._tag === "SignInSlowed" ? 429 : 401)
    )
  )
}).pipe(answerFailures)

const toSignIn = () =>
  HttpServerResponse.redirect(`${signInPaths.signIn}?next=${signInPaths.security}`, { status: 303 })
const back = () => HttpServerResponse.redirect(signInPaths.security, { status: 303 })
const most = { page: 1, perPage: 100 }

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const show = Effect.gen(function* () {
  const asking = yield* browser
  const { entered } = asking
  if (entered === undefined) return toSignIn()
  const { token, user } = entered.actor
  const sessions = yield* Sessions.list(yield* Entry.authorize("account.session.list", entered), most)
  const programs = yield* Grants.list(yield* Entry.authorize("account.grant.list", entered))
  const outside = yield* Identities.list(yield* Entry.authorize("account.identity.list", entered))
  const field = yield* formField(asking)
  const button = (
    action: string,
    id: number | string,
    label: string
  ) => html`<form class="inline" method="post" action="${action}">
${field}<input type="hidden" name="id" value="${id}"><button>${label}</button></form>`
  const body = html`<p>You are signed in as <strong>${user?.name}</strong>.</p>
<form method="post" action="${signInPaths.signOut}">${field}<button>Sign out</button></form>
<p><a href="${securityPaths.password}">Change your password</a></p>
<h2>Sessions</h2>
<ul>${sessions.rows.map(
    ({
      createdAt,
      id,
      origin
    }) => html`<li>${text(origin.agent) || "An application"}, ${text(origin.address)}, since ${createdAt}
${id === token?.id ? html`(this one)` : button(securityPaths.sessions, id, "End")}</li>`
  )}</ul>
${button(securityPaths.allSessions, "", "End all sessions")}
<h2>Programs that act for you</h2>
<ul>${programs.map(
    ({ id, name, scopes }) => html`<li><strong>${name}</strong>: ${scopeSentences(scopes).join("; ")}
${button(securityPaths.programs, id, "End")}</li>`
  )}</ul>
<h2>Services that sign you in</h2>
<ul>${outside.map(
    ({ createdAt, id, issuer }) => html`<li>${issuer}, since ${createdAt}
${button(securityPaths.identities, id, "End")}</li>`
  )}</ul>`
  return setBrowserCookie(asking, page("Your security", body))
}).pipe(answerFailures)

const gone = new Set(["TokenNotFound", "GrantNotFound", "IdentityNotFound"])

/** Handles a form that ends a session, consent or identity of the signed-in user; ignores one that is gone already. */
const ending = <E extends { readonly _tag: string }, R>(
  end: (entered: Entry.EnteredActor<"site">, id: number) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const asking = yield* browser
    const form = yield* readForm(asking)
    if (asking.entered === undefined) return toSignIn()
    yield* Effect.catchIf(
      end(asking.entered, Number(form.get("id"))),
      ({ _tag }) => gone.has(_tag),
      () => Effect.void
    )
    return back()
  }).pipe(answerFailures)

const endSession = ending((entered, id) =>
  Effect.flatMap(Entry.authorizeAndAudit("account.session.delete", entered), (proof) => Sessions.end(proof, id))
)
const endSessions = ending((entered) =>
  Effect.flatMap(Entry.authorizeAndAudit("account.session.delete-all", entered), Sessions.endAll)
)
const endProgram = ending((entered, id) =>
  Effect.flatMap(Entry.authorizeAndAudit("account.grant.delete", entered), (proof) => Grants.end(proof, id))
)
const endIdentity = ending((entered, id) =>
  Effect.flatMap(Entry.authorizeAndAudit("account.identity.delete", entered), (proof) => Identities.remove(proof, id))
)

/** Layer with the pages about the signed-in user's password, sessions and authorized OAuth2 applications. */
export const securityRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", signInPaths.security, show)
    yield* router.add("GET", securityPaths.password, showPassword)
    yield* router.add("POST", securityPaths.password, sendPassword)
    yield* router.add("POST", securityPaths.sessions, endSession)
    yield* router.add("POST", securityPaths.allSessions, endSessions)
    yield* router.add("POST", securityPaths.programs, endProgram)
    yield* router.add("POST", securityPaths.identities, endIdentity)
  })
)
