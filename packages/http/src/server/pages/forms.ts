import { timingSafeEqual } from "node:crypto"
import { makeSecret } from "@slipway/domain"
import { hashOf } from "@slipway/domain/sign-in"
import { Data, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { textOf } from "../wire/bodies.ts"
import { withBody } from "../wire/readBody.ts"
import { formCookie } from "./cookies.ts"
import { type Html, html } from "./html.ts"

/** The error for a form that was not sent from a current page of this service (CSRF protection). */
export class FormRefused extends Data.TaggedError("FormRefused") {}

/** The data of a request that is needed to authenticate its form (CSRF protection). */
export interface FormSender {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly secure: boolean
  /** The CSRF secret of this browser, which authenticates its forms. */
  readonly secret: string
}

/** Returns the CSRF secret of a browser: the value of its cookie if it is valid, else a new secret. */
export const formSecret = (known: string | undefined) =>
  known !== undefined && /^[A-Za-z0-9]{40}$/.test(known) ? Effect.succeed(known) : makeSecret

const formToken = (secret: string) => hashOf(`form of ${secret}`)

/** Returns the hidden form field with the CSRF token. */
export const formField = ({
  secret
}: Pick<FormSender, "secret">): Effect.Effect<Html, never, Effect.Services<typeof makeToken>> =>
  Effect.map(formToken(secret), (token) => html`<input type="hidden" name="form" value="${token}">`)
const makeToken = formToken("")

/** The attributes of every cookie that the pages set, without `Secure`. */
export const pageCookie = { httpOnly: true, sameSite: "lax", path: "/" } as const

/** Adds the cookie with the browser's CSRF secret to a response. */
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

/** Reads the body of a form as text, without parsing. */
export const formText = (request: HttpServerRequest.HttpServerRequest) =>
  withBody(request, largestForm, (bytes) => textOf(bytes))

/** Reads and parses a form; fails with `FormRefused` if its CSRF token does not match the browser's secret. */
export const readForm = Effect.fnUntraced(function* ({ request, secret }: FormSender) {
  const form = new URLSearchParams(yield* formText(request))
  if (!isSameText(form.get("form") ?? "", yield* formToken(secret))) return yield* new FormRefused()
  return form
})
