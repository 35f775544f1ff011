import { SiteSettings } from "@slipway/domain/forge/base"
import { addressOf, passwordProblem } from "@slipway/domain/forge/identity"
import { EmailConfirmations, PasswordResets } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type Html, html, type PageOptions, page, problemLine } from "../../../pages/html.ts"
import { type Browser, browser, formField, readForm, setBrowserCookie } from "./browser.ts"
import { answerFailures, forgottenPath, signInPaths } from "./signIn.ts"

/** The paths of the pages that set a password or confirm an email address, with a token sent by email. */
export const recoveryPaths = {
  forgotten: forgottenPath,
  reset: PasswordResets.path,
  confirm: EmailConfirmations.path,
  /** The path in password reset emails of earlier versions. */
  formerReset: "/user/reset"
} as const

const formPage = Effect.fnUntraced(function* (
  asking: Browser,
  title: string,
  action: string,
  body: Html,
  problem?: string,
  options: PageOptions = {}
) {
  const field = yield* formField(asking)
  const form = html`${problemLine(problem)}<form method="post" action="${action}">${field}${body}</form>`
  return setBrowserCookie(asking, page(title, form, options))
})

const off = () => page("Not here", html`<p>This site does not send email: ask its operator.</p>`, { status: 404 })

const tokenIn = ({ request }: Browser, name: "code" | "token"): string =>
  new URLSearchParams(request.url.split("?")[1] ?? "").get(name) ?? ""

const forgottenPage = (asking: Browser, problem?: string, status = 200) =>
  formPage(
    asking,
    "Forgot your password?",
    recoveryPaths.forgotten,
    html`<label>Email address <input type="email" name="address" autocomplete="email" required maxlength="254"></label>
<button>Send an email</button>`,
    problem,
    { status }
  )

const showForgotten = Effect.gen(function* () {
  return (yield* PasswordResets.isOn) ? yield* forgottenPage(yield* browser) : off()
})

const sendForgotten = Effect.gen(function* () {
  if (!(yield* PasswordResets.isOn)) return off()
  const asking = yield* browser
  const form = yield* readForm(asking)
  const { signIn } = yield* SiteSettings
  return yield* PasswordResets.ask((form.get("address") ?? "").trim(), addressOf(asking.entry, signIn)).pipe(
    Effect.as(
      page(
        "Check your email",
        html`<p>If this is the confirmed address of an account, an email with a link to set a new password is on its way.</p>`
      )
    ),
    Effect.catchTag("SignInSlowed", ({ seconds }) =>
      forgottenPage(asking, `Too many emails were requested. Try again in ${seconds} seconds.`, 429)
    )
  )
}).pipe(answerFailures)

const resetPage = (asking: Browser, token: string, problem?: string, status = 200) =>
  formPage(
    asking,
    "Set a new password",
    recoveryPaths.reset,
    html`<input type="hidden" name="token" value="${token}">
<label>New password
<input type="password" name="new" autocomplete="new-password" required minlength="8" maxlength="256"></label>
<button>Set the password</button>
<p>All sessions and tokens end with the old one.</p>`,
    problem,
    { status }
  )

const showReset = Effect.gen(function* () {
  const asking = yield* browser
  return yield* resetPage(asking, tokenIn(asking, "code"))
})

const redirectFormerReset = Effect.map(browser, (asking) =>
  HttpServerResponse.redirect(`${recoveryPaths.reset}?code=${encodeURIComponent(tokenIn(asking, "token"))}`, {
    status: 303
  })
)

const sendReset = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const [token, password] = [form.get("token") ?? "", form.get("new") ?? ""]
  const wrong = passwordProblem(password)
  if (wrong !== undefined) return yield* resetPage(asking, token, `The new password ${wrong}.`, 422)
  return yield* PasswordResets.finish(token, password).pipe(
    Effect.as(
      page("The password is set", html`<p>You can <a href="${signInPaths.signIn}">sign in</a> with it now.</p>`)
    ),
    Effect.catch((problem) =>
      problem._tag === "PasswordTooCommon"
        ? resetPage(asking, token, "The new password is among the most common passwords.", 422)
        : Effect.succeed(
            page(
              "This did not work",
              html`<p>The link was already used, or has expired. <a href="${recoveryPaths.forgotten}">Request another one</a>.</p>`,
              { status: 403 }
            )
          )
    )
  )
}).pipe(answerFailures)

// Link scanners of mail programs confirm nothing: a person sends the form.
const showConfirm = Effect.gen(function* () {
  const asking = yield* browser
  const body = html`<input type="hidden" name="token" value="${tokenIn(asking, "token")}"><button>Confirm the address</button>`
  return yield* formPage(asking, "Confirm your address", recoveryPaths.confirm, body)
})

const sendConfirm = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  return yield* EmailConfirmations.confirm(form.get("token") ?? "").pipe(
    Effect.map((address) => page("Confirmed", html`<p><strong>${address}</strong> is confirmed.</p>`)),
    Effect.catchTag("ConfirmationRefused", () =>
      Effect.succeed(
        page("This did not work", html`<p>The link has expired, or the address was removed.</p>`, { status: 403 })
      )
    )
  )
}).pipe(answerFailures)

/** Layer with the pages that set a password or confirm an email address, with a token sent by email. */
export const recoveryRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", recoveryPaths.forgotten, showForgotten)
    yield* router.add("POST", recoveryPaths.forgotten, sendForgotten)
    yield* router.add("GET", recoveryPaths.reset, showReset)
    yield* router.add("POST", recoveryPaths.reset, sendReset)
    yield* router.add("GET", recoveryPaths.formerReset, redirectFormerReset)
    yield* router.add("GET", recoveryPaths.confirm, showConfirm)
    yield* router.add("POST", recoveryPaths.confirm, sendConfirm)
  })
)
