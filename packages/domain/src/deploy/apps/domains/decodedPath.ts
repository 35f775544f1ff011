/**
 * Decodes the percent encoding of an address path, so that two spellings of one path become equal. Returns null for an
 * invalid encoding.
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
