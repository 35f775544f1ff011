/**
 * Returns the decoded path of an address, so that two spellings of one path are equal; null for invalid encoding.
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
