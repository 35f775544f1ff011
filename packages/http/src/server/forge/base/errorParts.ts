import type { Answer } from "@slipway/access"
import type { Problems } from "@slipway/domain"
import { notFound } from "@slipway/domain/forge/access"
import {
  ConflictBody,
  ForbiddenBody,
  InvalidBody,
  LockedBody,
  NotFoundBody,
  UnauthorizedBody
} from "../../../api/forge/base/errors.ts"

const plain = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "")

/** Returns the message for an invalid input: each invalid field in brackets, followed by its problems. */
export const invalidText = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, sentences]) => sentences.map((sentence) => `[${field}]: ${plain(sentence)}`))
    .join("; ")

/** The address of the reference, which every body names. */
export type Url = { readonly url: string }

/** The body for an input with one invalid field. */
export const invalid = (field: string, text: string) => (url: Url) =>
  new InvalidBody({ message: invalidText({ [field]: [text] }), ...url })
/** The body for a missing resource. */
export const missing = (url: Url) => new NotFoundBody({ message: notFound.message, ...url })
/** The body of a refusal, in a sentence. */
export const forbidden = (message: string) => (url: Url) => new ForbiddenBody({ message, ...url })
/** The body for a conflict with the current state. */
export const conflict = (message: string) => (url: Url) => new ConflictBody({ message, ...url })

/** Returns the response body for the answer of an access rule, by its status. */
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
