import type { Egress, EgressUnreachable } from "@slipway/egress"
import { type Context, Data, Effect, Redacted, type Scope } from "effect"
import { HttpClientRequest } from "effect/http"

/** A connection for git to a repository on another host: URL, git settings and environment. */
export interface Transport {
  readonly url: string
  /** Settings that aren't secret. */
  readonly settings: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly hasCredentials: boolean
  /** Returns why the connection was refused; undefined if it was not. */
  readonly failure: () => string | undefined
  /** Returns the error output of the remote that git does not pass on. */
  readonly said: () => string
  readonly hidden: ReadonlyArray<string>
}

/** The service that opens all outbound connections of this instance, and checks their addresses. */
export type OutboundConnections = Context.Service.Shape<typeof Egress>

/** The error of a repository that cannot be reached; `because` is the reason. */
export class RemoteClosed extends Data.TaggedError("RemoteClosed")<{ readonly because: string }> {}

/** The HTTP URL of a repository, without credentials. */
export interface HttpAddress {
  readonly url: string
  readonly origin: string
}

/** The account at another host. */
export interface Account {
  readonly username: string
  readonly password: string
}

const failing = (because: string) => Effect.fail(new RemoteClosed({ because }))
const unreachable = ({ because }: EgressUnreachable) => new RemoteClosed({ because })

/** Returns environment variables that pass settings to git; other users of the machine cannot read them. */
const inEnvironment = (settings: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value]
    ])
  ])

const mostMoves = 5

/** The git service requested from the other host. */
export type RemoteService = "git-upload-pack" | "git-receive-pack"

/**
 * Follows a repository's HTTP redirects, but only within the same origin.
 *
 * Git must not follow redirects itself: it would send the credentials of the first URL to the other host too.
 */
const settled = Effect.fnUntraced(function* (
  egress: OutboundConnections,
  address: HttpAddress,
  authorization: string,
  service: RemoteService
) {
  const discovery = `info/refs?service=${service}`
  let url = address.url
  for (let moves = 0; moves <= mostMoves; moves++) {
    const asked = `${url.replace(/\/+$/, "")}/${discovery}`
    const request = HttpClientRequest.get(asked, { headers: { authorization, "user-agent": "git/2.38" } })
    const { headers, status } = yield* Effect.mapError(egress.look(request), unreachable)
    if (status < 300 || status > 399 || headers.location === undefined) return url
    const next = URL.canParse(headers.location, asked) ? new URL(headers.location, asked) : undefined
    if (next?.origin !== address.origin || !next.href.endsWith(`/${discovery}`)) {
      return yield* failing(
        "the address of the repository redirects to another host, which does not get the credentials"
      )
    }
    url = next.href.slice(0, -discovery.length - 1)
  }
  return yield* failing("the address of the repository has too many redirects")
})

/**
 * Opens a connection to a repository by HTTP, until the scope closes. Every connection of git is checked by the egress
 * rules (invariant I14).
 */
export const openHttp = (
  egress: OutboundConnections,
  address: HttpAddress,
  account: Account | undefined,
  service: RemoteService
): Effect.Effect<Transport, RemoteClosed, Scope.Scope> =>
  Effect.gen(function* () {
    const proxy = yield* Effect.mapError(egress.openProxy, unreachable)
    const basic =
      account && `Basic ${Buffer.from(`${account.username}:${account.password}`, "utf8").toString("base64")}`
    const url = basic === undefined ? address.url : yield* settled(egress, address, basic, service)
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
