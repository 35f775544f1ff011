const anywhere = "https://forge.invalid"

/**
 * Returns the path that a page may redirect to, to prevent open redirects. Any URL that is not a path of this site is
 * replaced by the default.
 *
 * @example
 * ownPath("/acme/site?tab=1", "/") // => "/acme/site?tab=1"
 * ownPath("//evil.example", "/") // => "/"
 * ownPath("/\\evil.example", "/") // => "/"
 */
export const ownPath = (asked: string | null | undefined, otherwise: string): string => {
  if (asked == null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked) || !URL.canParse(asked, anywhere)) return otherwise
  const { hash, origin, pathname, search } = new URL(asked, anywhere)
  return origin === anywhere && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : otherwise
}
