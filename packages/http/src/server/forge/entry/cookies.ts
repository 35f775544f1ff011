import { cookieNamed } from "../../pages/cookies.ts"

export { formCookie } from "../../pages/cookies.ts"

/** Returns the name of the session cookie. */
export const sessionCookie = cookieNamed("slipway_session")

/** Returns the name of the cookie with the state of a sign-in at an external provider. */
export const outsideCookie = cookieNamed("slipway_outside")
