import { Schema } from "effect"

/**
 * Returns the reason why a website URL is invalid; undefined if it is valid or empty.
 *
 * Only http(s) URLs are allowed, because pages show the URL as a link.
 *
 * @example
 * websiteProblem("javascript:alert(1)") // => "must be an address that begins with http:// or https://"
 */
export const websiteProblem = (text: string): string | undefined =>
  text === "" || (/^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text))
    ? undefined
    : "must be an address that begins with http:// or https://"

/** Returns the schema of a website URL of at most `longest` characters. */
export const website = (longest: number) =>
  Schema.String.check(
    Schema.isMaxLength(longest),
    Schema.makeFilter((text: string) => websiteProblem(text))
  )
