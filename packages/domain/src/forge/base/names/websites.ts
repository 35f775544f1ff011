import { Schema } from "effect"

/**
 * Returns the problem of a website address, or undefined; an empty address is valid.
 *
 * Readers follow it with a click, so only web addresses are allowed.
 *
 * @example
 * websiteProblem("javascript:alert(1)") // => "must be an address that begins with http:// or https://"
 */
export const websiteProblem = (text: string): string | undefined =>
  text === "" || (/^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text))
    ? undefined
    : "must be an address that begins with http:// or https://"

/** Returns the schema of a website address with a maximum length. */
export const website = (longest: number) =>
  Schema.String.check(
    Schema.isMaxLength(longest),
    Schema.makeFilter((text: string) => websiteProblem(text))
  )
