import { Schema } from "effect"

/**
 * Returns what is wrong with the address of a website, or nothing; none at all is right.
 *
 * Readers follow it by a click, so nothing but the web is led to.
 *
 * @example
 * websiteProblem("javascript:alert(1)") // => "must be an address that begins with http:// or https://"
 */
export const websiteProblem = (text: string): string | undefined =>
  text === "" || (/^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text))
    ? undefined
    : "must be an address that begins with http:// or https://"

/** Returns the schema of the address of a website, of at most so many characters. */
export const website = (longest: number) =>
  Schema.String.check(
    Schema.isMaxLength(longest),
    Schema.makeFilter((text: string) => websiteProblem(text))
  )
