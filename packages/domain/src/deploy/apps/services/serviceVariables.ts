import { generatedDomain, parseDomains } from "../domains/DomainAddress.ts"
import type { ServiceUrl } from "./Service.ts"

/** A variable that the platform creates because a compose text references it. */
export type ServiceVariable =
  /** A new random value: letters and digits, hexadecimal digits, or letters and digits in base64. */
  | {
      readonly _tag: "Secret"
      readonly key: string
      readonly length: number
      readonly form: "letters" | "hex" | "base64"
    }
  /** The address of a service part: a URL, or only its host and path. */
  | {
      readonly _tag: "Address"
      readonly key: string
      readonly part: string
      readonly port: number | null
      readonly isUrl: boolean
    }

const named = /\bSERVICE_(FQDN|URL|USER|PASSWORD|PASSWORDWITHSYMBOLS|BASE64|REALBASE64|HEX)_([A-Z0-9_]+)/g
const sized = /^(32|64|128)_/
const ported = /_(\d{1,5})$/

/** The maximum number of generated variables of one compose text (invariant I25: bounded resources). */
const most = 200

const lengthOf = (kind: string, name: string): number => {
  const size = sized.exec(name)?.[1]
  if (size !== undefined) return Number(size)
  return kind === "USER" ? 16 : 32
}

/**
 * Returns the variables in a compose text with names that follow Coolify's convention for generated values; each
 * occurs once.
 *
 * `SERVICE_USER_…`, `SERVICE_PASSWORD_…` and `SERVICE_BASE64_…` are random values. `SERVICE_URL_<PART>[_<port>]` and
 * `SERVICE_FQDN_<PART>[_<port>]` are the address of a part, and the port that requests are routed to.
 *
 * @example
 * serviceVariables("password: $SERVICE_PASSWORD_DB").map(({ key }) => key) // => ["SERVICE_PASSWORD_DB"]
 */
export const serviceVariables = (text: string): ReadonlyArray<ServiceVariable> => {
  const found = new Map<string, ServiceVariable>()
  for (const [key, kind = "", name = ""] of text.matchAll(named)) {
    if (found.size >= most) break
    if (found.has(key)) continue
    if (kind === "FQDN" || kind === "URL") {
      const port = ported.exec(name)?.[1]
      const part = port === undefined ? name : name.slice(0, -port.length - 1)
      found.set(key, {
        _tag: "Address",
        key,
        part,
        port: port === undefined ? null : Number(port),
        isUrl: kind === "URL"
      })
    } else {
      const form = kind === "HEX" ? "hex" : kind === "REALBASE64" ? "base64" : "letters"
      found.set(key, { _tag: "Secret", key, length: lengthOf(kind, name), form })
    }
  }
  return [...found.values()]
}

/** Returns the name of a service part in the form that variable names contain. */
const written = (part: string): string => part.toUpperCase().replace(/[^A-Z0-9]/g, "_")

/** Returns the service part that an address variable refers to; undefined if there is none. */
export const partNamed = <Part extends { readonly name: string }>(
  parts: ReadonlyArray<Part>,
  variable: { readonly part: string }
): Part | undefined => parts.find(({ name }) => written(name) === variable.part)

/**
 * Returns the addresses of a service: the given ones, and a generated address for each other part that has an
 * address variable in the compose text.
 */
export const urlsFor = (
  uuid: string,
  text: string,
  parts: ReadonlyArray<{ readonly name: string }>,
  serviceUrls: ReadonlyArray<ServiceUrl>,
  server: Parameters<typeof generatedDomain>[1]
): ReadonlyArray<ServiceUrl> => {
  const urls = [...serviceUrls]
  for (const variable of serviceVariables(text)) {
    const part = variable._tag === "Address" ? partNamed(parts, variable) : undefined
    if (part === undefined || urls.some(({ name }) => name === part.name)) continue
    const label = part.name
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, "-")
      .slice(0, 30)
    urls.push({ name: part.name, url: generatedDomain(`${label}-${uuid}`, server) })
  }
  return urls
}

/** Returns the value of an address variable: the first address of its part; empty if the part has no address. */
export const addressValue = (
  { isUrl, part }: Extract<ServiceVariable, { _tag: "Address" }>,
  urls: ReadonlyArray<ServiceUrl>
): string => {
  const [first] = parseDomains(partNamed(urls, { part })?.url ?? "").addresses
  if (first === undefined) return ""
  return isUrl ? first.written : first.written.replace(/^https?:\/\//i, "")
}
