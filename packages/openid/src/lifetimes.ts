const minutes = 60
const hours = 60 * minutes
const days = 24 * hours

/** The lifetimes of the protocol's tokens and codes, in seconds. */
export const lifetimes = {
  AccessToken: hours,
  AuthorizationCode: minutes,
  DeviceCode: 10 * minutes,
  Grant: 400 * days,
  IdToken: hours,
  Interaction: 15 * minutes,
  RefreshToken: 30 * days,
  Session: 14 * days
} as const
