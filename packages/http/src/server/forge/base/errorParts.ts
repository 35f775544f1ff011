import type { Answer } from "@slipway/access"
import type { Problems } from "@slipway/domain"
import { notFound } from "@slipway/domain/forge/access"
import {
  ConflictBody,
  ForbiddenBody,
  InvalidBody,
  LockedBody,
  NotFoundBody,
  UnauthorizedBody,
  UnavailableBody
} from "../../../api/forge/base/errors.ts"

const plain = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "")

/** Returns the message for an invalid input: each invalid field in brackets, followed by its problems. */
export const invalidText = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, sentences]) => sentences.map((sentence) => `[${field}]: ${plain(sentence)}`))
    .join("; ")

/** The URL of the API reference, which every error body contains. */
export type Url = { readonly url: string }

/** Makes the 422 body for one invalid field. */
export const invalid = (field: string, text: string) => (url: Url) =>
  new InvalidBody({ message: invalidText({ [field]: [text] }), ...url })
/** Makes the 404 body for a missing resource. */
export const missing = (url: Url) => new NotFoundBody({ message: notFound.message, ...url })
/** Makes the 403 body with a message. */
export const forbidden = (message: string) => (url: Url) => new ForbiddenBody({ message, ...url })
/** Makes the 409 body for a conflict with the current state. */
export const conflict = (message: string) => (url: Url) => new ConflictBody({ message, ...url })

/** Makes the 503 body for a limit of concurrent requests. */
export const busy = (message: string) => (url: Url) => new UnavailableBody({ message, ...url })

/** Returns the error body for a request that an access rule denied, by the rule's status. */
export const refusal = ({ message, status }: Answer, url: Url) => {
  const body = { message, ...url }
  switch (status) {
    case 401:
      return new UnauthorizedBody(body)
    case 403:
      return new ForbiddenBody(body)
    case 404:
      return new NotFoundBody(body)
    case 423:
      return new LockedBody(body)
    default:
      throw new Error(`no body for the status ${status} of an access rule`)
  }
}
