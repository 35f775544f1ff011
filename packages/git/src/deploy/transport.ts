import { CheckoutFailed, type RepositoryAccess, type RepositoryAddress } from "@slipway/domain/deploy"
import type { Egress, EgressUnreachable } from "@slipway/egress"
import { type Context, Effect, Redacted, type Scope } from "effect"
import { HttpClientRequest } from "effect/http"
import { type Keys, openRelay } from "./relay.ts"

/** How git reaches a repository: what it is told, and what it isn't to repeat. */
export interface Transport {
  readonly url: string
  /** For anybody's eyes. */
  readonly settings: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly hasCredentials: boolean
  /** Why the way was closed, when it was. */
  readonly failure: () => string | undefined
  /** What the other side said past git. */
  readonly said: () => string
  readonly hidden: ReadonlyArray<string>
}

type Http = Extract<RepositoryAddress, { readonly _tag: "Http" }>
type Ssh = Extract<RepositoryAddress, { readonly _tag: "Ssh" }>
type Out = Context.Service.Shape<typeof Egress>

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))
const unreachable = ({ because }: EgressUnreachable) => new CheckoutFailed({ because })

/** Settings that only git's own environment holds, which no other user of the machine can read. */
const inEnvironment = (settings: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value]
    ])
  ])

interface Account {
  readonly username: string
  readonly password: string
}

const accountOf = (address: Http, access: RepositoryAccess): Account | undefined => {
  if (access._tag === "Token") return { username: access.username, password: Redacted.value(access.token) }
  return address.username === "" && address.password === "" ? undefined : address
}

const discovery = "info/refs?service=git-upload-pack"
const mostMoves = 5

/**
 * Finds where a repository has moved to below its own origin.
 *
 * git would follow redirects by itself, but take the credentials along: it chooses them once, by the first address.
 */
const settled = Effect.fnUntraced(function* (egress: Out, address: Http, authorization: string) {
  let url = address.url
  for (let moves = 0; moves <= mostMoves; moves++) {
    const asked = `${url.replace(/\/+$/, "")}/${discovery}`
    const request = HttpClientRequest.get(asked, { headers: { authorization, "user-agent": "git/2.38" } })
    const { headers, status } = yield* Effect.mapError(egress.look(request), unreachable)
    if (status < 300 || status > 399 || headers.location === undefined) return url
    const next = URL.canParse(headers.location, asked) ? new URL(headers.location, asked) : undefined
    if (next?.origin !== address.origin || !next.href.endsWith(`/${discovery}`)) {
      return yield* failing("the repository's address leads to another host, which isn't shown the credentials")
    }
    url = next.href.slice(0, -discovery.length - 1)
  }
  return yield* failing("the repository's address leads on and on")
})

const byHttp = Effect.fnUntraced(function* (egress: Out, address: Http, access: RepositoryAccess) {
  if (access._tag === "Key") {
    return yield* failing("a private key opens SSH addresses alone, such as git@host:owner/name.git")
  }
  const proxy = yield* Effect.mapError(egress.openProxy, unreachable)
  const account = accountOf(address, access)
  const basic = account && `Basic ${Buffer.from(`${account.username}:${account.password}`, "utf8").toString("base64")}`
  const url = basic === undefined ? address.url : yield* settled(egress, address, basic)
  return {
    url,
    settings: [
      "protocol.http.allow=always",
      "protocol.https.allow=always",
      "http.proxyAuthMethod=basic",
      `http.followRedirects=${basic === undefined ? "initial" : "false"}`
    ],
    environment: inEnvironment([
      ["http.proxy", Redacted.value(proxy.url)],
      ...(basic === undefined ? [] : [[`http.${address.origin}/.extraHeader`, `Authorization: ${basic}`] as const])
    ]),
    hasCredentials: basic !== undefined,
    failure: () => proxy.failure()?.because,
    said: () => "",
    hidden: [
      Redacted.value(proxy.url),
      ...(account === undefined || basic === undefined ? [] : [account.password, basic, basic.slice("Basic ".length)])
    ]
  } satisfies Transport
})

const bySsh = Effect.fnUntraced(function* (
  egress: Out,
  keys: Keys,
  address: Ssh,
  access: RepositoryAccess,
  folder: string
) {
  if (access._tag === "Anyone") return yield* failing("an SSH address is opened with a private key, and none is set")
  if (access._tag === "Token") return yield* failing("a token opens http(s) addresses alone")
  const relay = yield* openRelay({ address, folder, keys, privateKey: access.privateKey, egress })
  return {
    // The relay knows the way; what a user wrote is no part of git's command.
    url: "ssh://relay/repository",
    settings: ["protocol.ssh.allow=always"],
    environment: relay.environment,
    hasCredentials: true,
    failure: relay.failure,
    said: relay.said,
    hidden: []
  } satisfies Transport
})

/** Opens the way to a repository, until the scope closes. */
export const openTransport = (
  { egress, keys }: { readonly egress: Out; readonly keys: Keys },
  address: RepositoryAddress,
  access: RepositoryAccess,
  folder: string
): Effect.Effect<Transport, CheckoutFailed, Scope.Scope> =>
  address._tag === "Http" ? byHttp(egress, address, access) : bySsh(egress, keys, address, access, folder)
