/** Returns the name of a cookie; browsers reject one with this prefix from others, such as other hosts of the domain. */
export const cookieNamed =
  (name: string) =>
  (secure: boolean): string =>
    secure ? `__Host-${name}` : name

/** Returns the name of the cookie that authenticates a browser's forms. */
export const formCookie = cookieNamed("slipway_form")
