/** The texts that no endpoint has said itself. */
export const texts = {
  notFound: "not found",
  methodNotAllowed: "method not allowed",
  badRequest: "bad request",
  tooLarge: "the body is too large",
  unsupportedType: "the body must be application/json",
  internal: "internal server error"
} as const

/** The body of every error: what went wrong, and where the reference is (decision "Errors"). */
export const errorBody = (message: string) => ({ message, url: "/docs" })
