// For this prefix, browsers reject cookies set by others, such as other hosts of the domain.
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** Returns the name of the session cookie. */
export const sessionCookie = named("slipway_session")

/** Returns the name of the cookie that authenticates a browser's forms. */
export const formCookie = named("slipway_form")

/** Returns the name of the cookie with the state of a sign-in at another service. */
export const outsideCookie = named("slipway_outside")
