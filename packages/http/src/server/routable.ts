const byte = /%[0-9A-Fa-f]{2}/g
const several = /(?:%[0-9A-Fa-f]{2})+/g
const decoder = new TextDecoder()

const isText = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a request URL that the router can decode: bytes that are not valid UTF-8 become the replacement character.
 *
 * File names can contain such bytes; handlers of files use the original URL.
 *
 * @example
 * routable("/a%20b/%FF?x=%FF") // => "/a%20b/%EF%BF%BD?x=%FF"
 */
export const routable = (url: string): string => {
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  if (isText(path)) return url
  const read = path.replace(several, (encoded) => {
    if (isText(encoded)) return encoded
    const bytes = (encoded.match(byte) ?? []).map((each) => Number.parseInt(each.slice(1), 16))
    return encodeURIComponent(decoder.decode(Uint8Array.from(bytes)))
  })
  return query < 0 ? read : `${read}${url.slice(query)}`
}
