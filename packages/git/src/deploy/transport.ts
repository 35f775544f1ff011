import { CheckoutFailed, type RepositoryAccess, type RepositoryAddress } from "@slipway/domain/deploy/apps"
import { Effect, Redacted, type Scope } from "effect"
import { type Account, type OutboundConnections, openHttp, type Transport } from "../remote/http.ts"
import { type Keys, openRelay } from "./relay.ts"

export type { Transport } from "../remote/http.ts"

type Http = Extract<RepositoryAddress, { readonly _tag: "Http" }>
type Ssh = Extract<RepositoryAddress, { readonly _tag: "Ssh" }>

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

/** Returns the username and password for a repository: its token, else those in its address; undefined without both. */
export const accountOf = (address: Http, access: RepositoryAccess): Account | undefined => {
  if (access._tag === "Token") return { username: access.username, password: Redacted.value(access.token) }
  return address.username === "" && address.password === "" ? undefined : address
}

const byHttp = Effect.fnUntraced(function* (egress: OutboundConnections, address: Http, access: RepositoryAccess) {
  if (access._tag === "Key") {
    return yield* failing("a private key only works with SSH addresses, such as git@host:owner/name.git")
  }
  return yield* Effect.mapError(
    openHttp(egress, address, accountOf(address, access), "git-upload-pack"),
    ({ because }) => new CheckoutFailed({ because })
  )
})

const bySsh = Effect.fnUntraced(function* (
  egress: OutboundConnections,
  keys: Keys,
  address: Ssh,
  access: RepositoryAccess,
  folder: string
) {
  if (access._tag === "Anyone") return yield* failing("an SSH address needs a private key, and none is set")
  if (access._tag === "Token") return yield* failing("a token only works with http(s) addresses")
  const relay = yield* openRelay({ address, folder, keys, privateKey: access.privateKey, egress })
  return {
    // The relay knows the address; user input isn't part of git's command.
    url: "ssh://relay/repository",
    settings: ["protocol.ssh.allow=always"],
    environment: relay.environment,
    hasCredentials: true,
    failure: relay.failure,
    said: relay.said,
    hidden: []
  } satisfies Transport
})

/** Opens the connection to a repository by HTTP or SSH; it closes with the scope. */
export const openTransport = (
  { egress, keys }: { readonly egress: OutboundConnections; readonly keys: Keys },
  address: RepositoryAddress,
  access: RepositoryAccess,
  folder: string
): Effect.Effect<Transport, CheckoutFailed, Scope.Scope> =>
  address._tag === "Http" ? byHttp(egress, address, access) : bySsh(egress, keys, address, access, folder)
