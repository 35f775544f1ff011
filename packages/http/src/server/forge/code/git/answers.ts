import { entryAnswers } from "@slipway/domain/forge/access"
import { HttpServerResponse } from "effect/http"

/** The `WWW-Authenticate` challenge for git clients, which then send a user name and a token. */
export const challenge = `Basic realm="Slipway", charset="UTF-8"`

const notCached = { "cache-control": "no-cache, max-age=0, must-revalidate", expires: "Fri, 01 Jan 1980 00:00:00 GMT" }

/** The headers of every response to a git client: no caching, and no content type guessing. */
export const gitHeaders = { ...notCached, pragma: "no-cache", "x-content-type-options": "nosniff" } as const

/** Returns a plain text response; git prints the text to its user. */
export const plainly = (status: number, message: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(`${message}\n`, {
    status,
    contentType: "text/plain; charset=utf-8",
    headers: { ...gitHeaders, ...headers }
  })

/** Returns the 401 response that requests authentication; the same for missing and for private repositories. */
export const requestSignIn = (message = "sign in with your name and a token, or check the address") =>
  plainly(401, message, { "www-authenticate": challenge })

/** Returns the 401 response that requests a token, because an account with a second factor sent its password. */
export const requestToken = () => requestSignIn("this account has a second factor: use a token instead of the password")

/** Returns the 401 response for invalid credentials. */
export const signInFailed = () => requestSignIn(entryAnswers.invalidCredentials.message)
