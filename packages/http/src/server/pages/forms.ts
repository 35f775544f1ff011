import { timingSafeEqual } from "node:crypto"
import { makeSecret } from "@slipway/domain"
import { hashOf } from "@slipway/domain/sign-in"
import { Data, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { textOf } from "../wire/bodies.ts"
import { withBody } from "../wire/readBody.ts"
import { formCookie } from "./cookies.ts"
import { type Html, html } from "./html.ts"

/** Reports a form that wasn't sent from our pages, or is too old. */
export class FormRefused extends Data.TaggedError("FormRefused") {}

/** The facts about a browser that authenticate its forms. */
export interface FormSender {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly secure: boolean
  /** A secret of this browser, which authenticates its forms. */
  readonly secret: string
}

/** Returns the secret of a browser's forms: the one of its cookie, or a new one. */
export const formSecret = (known: string | undefined) =>
  known !== undefined && /^[A-Za-z0-9]{40}$/.test(known) ? Effect.succeed(known) : makeSecret

const formToken = (secret: string) => hashOf(`form of ${secret}`)

/** Returns the hidden field that proves that a form came from one of our pages. */
export const formField = ({
  secret
}: Pick<FormSender, "secret">): Effect.Effect<Html, never, Effect.Services<typeof makeToken>> =>
  Effect.map(formToken(secret), (token) => html`<input type="hidden" name="form" value="${token}">`)
const makeToken = formToken("")

/** The attributes of every cookie of our pages, without `Secure`. */
export const pageCookie = { httpOnly: true, sameSite: "lax", path: "/" } as const

/** Sets the cookie with the secret that authenticates the browser's forms. */
export const setBrowserCookie = (
  { secret, secure }: Pick<FormSender, "secret" | "secure">,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, formCookie(secure), secret, { ...pageCookie, secure })

const isSameText = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const largestForm = 16 * 1024

/** Reads the unparsed body of a form. */
export const formText = (request: HttpServerRequest.HttpServerRequest) =>
  withBody(request, largestForm, (bytes) => textOf(bytes))

/** Reads a form that one of our pages sent from this browser. */
export const readForm = Effect.fnUntraced(function* ({ request, secret }: FormSender) {
  const form = new URLSearchParams(yield* formText(request))
  if (!isSameText(form.get("form") ?? "", yield* formToken(secret))) return yield* new FormRefused()
  return form
})
