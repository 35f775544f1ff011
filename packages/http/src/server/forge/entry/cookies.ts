// The browser itself keeps others, such as the pages of other hosts of a domain, from setting a cookie of this prefix.
const named = (name: string) => (secure: boolean) => (secure ? `__Host-${name}` : name)

/** Returns the name of the cookie that holds a session. */
export const sessionCookie = named("slipway_session")

/** Returns the name of the cookie by which the forms of a browser are known. */
export const formCookie = named("slipway_form")

/** Returns the name of the cookie that holds what was begun at another service. */
export const outsideCookie = named("slipway_outside")
