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
 * Returns the address of a request as the router can read it: invalid UTF-8 becomes the replacement character.
 *
 * Names of files may have such bytes; their readers use the original address.
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
