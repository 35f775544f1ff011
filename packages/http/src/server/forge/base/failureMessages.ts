import { notFound } from "@slipway/domain/forge/access"

/** The messages of errors that occur outside of endpoint handlers. */
export const failureMessages = {
  notFound: notFound.message,
  methodNotAllowed: "method not allowed",
  badRequest: "the request is not valid",
  tooLarge: "the body is too large",
  internal: "internal server error",
  unavailable: "the service is unavailable, try again later"
} as const
