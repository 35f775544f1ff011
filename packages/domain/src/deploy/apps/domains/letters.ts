/**
 * Returns the path of an address as its letters, so that two spellings of one path are equal; null when it has none.
 *
 * @example
 * lettersOf("/a%2Fb") // => "/a/b"
 * lettersOf("/%FF") // => null
 */
export const lettersOf = (path: string): string | null => {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
