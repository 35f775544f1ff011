/**
 * Returns the decoded path of an address, so that two spellings of one path are equal; null for invalid encoding.
 *
 * @example
 * decodedPathOf("/a%2Fb") // => "/a/b"
 * decodedPathOf("/%FF") // => null
 */
export const decodedPathOf = (path: string): string | null => {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
