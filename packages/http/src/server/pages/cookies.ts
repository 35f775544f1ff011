/**
 * Returns a function that returns the full name of a cookie, with the prefix `__Host-` on a site with HTTPS.
 *
 * Browsers accept a cookie with this prefix only from the same host, and not from other hosts of the domain.
 */
export const cookieNamed =
  (name: string) =>
  (secure: boolean): string =>
    secure ? `__Host-${name}` : name

/** Returns the name of the cookie with the CSRF secret of a browser's forms. */
export const formCookie = cookieNamed("slipway_form")
