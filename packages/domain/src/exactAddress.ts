/** A host and port to which outbound requests are allowed even if its IP address is private. */
export interface ExactAddress {
  /** The host name or IP address, in lower case and without brackets. */
  readonly host: string
  readonly port: number
}

const hostOf = (host: string): string => host.replace(/^\[(.*)\]$/, "$1").toLowerCase()

/**
 * Returns the host and port of an http(s) URL; undefined for any other text.
 *
 * @example
 * exactAddressOf("http://127.0.0.1:3000/api/v1") // => { host: "127.0.0.1", port: 3000 }
 * exactAddressOf("https://[::1]/") // => { host: "::1", port: 443 }
 * exactAddressOf("ssh://127.0.0.1") // => undefined
 */
export const exactAddressOf = (url: string): ExactAddress | undefined => {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, port, protocol } = new URL(url)
  return { host: hostOf(hostname), port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) }
}

/**
 * Returns whether a host and port are in a list of allowed addresses. Names are compared as text, without DNS.
 *
 * @example
 * isExactly([{ host: "127.0.0.1", port: 3000 }], "127.0.0.1", 3000) // => true
 * isExactly([{ host: "127.0.0.1", port: 3000 }], "127.0.0.1", 5432) // => false
 * isExactly([{ host: "127.0.0.1", port: 3000 }], "localhost", 3000) // => false
 */
export const isExactly = (addresses: ReadonlyArray<ExactAddress>, host: string, port: number): boolean =>
  addresses.some((address) => address.host === hostOf(host) && address.port === port)
