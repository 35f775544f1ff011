import type { ExactAddress, PageRequest } from "@slipway/domain"
import {
  exactAddressOf,
  InvalidInput,
  isExactly,
  makeUuid,
  now,
  pageOf,
  streamOf,
  Transaction,
  Vault
} from "@slipway/domain"
import { ConnectedForges, type ForgeAccess, type ForgeClient, ForgeTokenRejected } from "@slipway/domain/deploy/apps"
import { type Authorized, visibleTo } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import {
  type ConnectedForge,
  disconnectedHere,
  ForgeAppStore,
  ForgeAppUuid,
  ForgeConnectionNotFound,
  isConnected
} from "@slipway/domain/deploy/infrastructure"
import { OutsideProvider, ProviderConnector } from "@slipway/domain/sign-in"
import { Effect, Redacted, Stream } from "effect"
import { removeUseCase } from "../../base/reading/listUseCases.ts"
import { insertOwner } from "../../identity/outsiders/insertOutsider.ts"

/** The fields of a forge connection that a request sets. */
export interface ForgeConnectionInput {
  readonly name: string
  /** The URL of the forge, without a path. */
  readonly url: string
  readonly token: Redacted.Redacted
  /** The URL under which the forge reaches this platform, without a path. */
  readonly platformUrl: string
  /** The port of the forge's SSH server; null to read repositories over HTTPS with the token. */
  readonly sshPort: number | null
  /** The OAuth2 client with which this platform signs in users of the forge; null for no sign-in. */
  readonly signIn?: ForgeClient | null | undefined
}

/** The fields of a new forge connection. */
export interface ForgeConnectionCreation extends ForgeConnectionInput {
  /** Whether the user of the token becomes an owner of the root team, unless the user has an account here. */
  readonly grantOwner?: boolean | undefined
}

/** Returns the owner of the sealed secret of the OAuth2 client of a connection; a stored successor has the same. */
export const clientOwner = (uuid: ForgeAppUuid) => ({ uuid, field: "client_secret" })

/** Encrypts the secret of a connection's OAuth2 client. */
const sealedClient = Effect.fnUntraced(function* (uuid: ForgeAppUuid, client: ForgeClient | null) {
  if (client === null) return { clientId: "", clientSecret: null }
  return { clientId: client.id, clientSecret: yield* (yield* Vault).seal(clientOwner(uuid), client.secret) }
})

/** Identifies the encrypted token of a connection for the secret store; rotated tokens have the same identity. */
export const tokenOwner = (uuid: ForgeAppUuid) => ({ uuid, field: "forge_token" })

/** The SSH port that is stored for a forge without an SSH server; connections do not use it. */
const usualSshPort = 22

/** Returns the forge account that owns a token. Fails with the problem of the request field that is wrong. */
const accountOf = Effect.fnUntraced(function* (access: ForgeAccess) {
  const wrong = (field: "token" | "url") => (error: { readonly because: string }) =>
    Effect.fail(new InvalidInput({ problems: { [field]: [`Cannot connect: ${error.because}.`] } }))
  return yield* Effect.catchTags((yield* ConnectedForges).account(access), {
    ForgeTokenRejected: wrong("token"),
    GitHostFailed: wrong("url")
  })
})

/** Returns the user of a token as a provider would sign them in; fails without a client. */
const ownerOf = Effect.fnUntraced(function* (access: ForgeAccess, signIn: ForgeClient | null) {
  if (signIn === null) {
    const problem = "Needs client_id and client_secret: the owner signs in through this forge."
    return yield* new InvalidInput({ problems: { grant_owner: [problem] } })
  }
  const person = yield* Effect.mapError(
    (yield* ConnectedForges).person(access),
    ({ because }) => new InvalidInput({ problems: { grant_owner: [`Cannot read the user of the token: ${because}.`] } })
  )
  return { issuer: access.url, ...person }
})

/**
 * Returns whether people sign in to this platform through a forge, so that their ids on it identify accounts here.
 * Compares URLs: a forge can have several connections, and only one of them signs people in.
 */
export const signsIn = Effect.fnUntraced(function* ({ htmlUrl }: Pick<ConnectedForge, "htmlUrl">) {
  const { href } = new URL(htmlUrl)
  const configured = yield* OutsideProvider
  if (configured !== undefined) return new URL(configured.issuer).href === href
  if ((yield* ProviderConnector) === undefined) return false
  const first = yield* (yield* ForgeAppStore).firstClient
  return first !== undefined && new URL(first.htmlUrl).href === href
})

/** Fails if people do not sign in through a forge: its user could not use the granted role. */
const requireSignIn = Effect.fnUntraced(function* (forge: Pick<ConnectedForge, "htmlUrl">) {
  if (yield* signsIn(forge)) return
  const problem =
    "People sign in to this platform through another provider or another forge: connect without `grant_owner`."
  return yield* new InvalidInput({ problems: { grant_owner: [problem] } })
})

/** Lists a page of forge connections, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeConnection.list">, page: PageRequest) {
  const visible = visibleTo(resource.caller, "forgeConnection.read")
  const { connected, countConnected } = yield* ForgeAppStore
  return yield* pageOf({ list: (window) => connected(window, visible), count: countConnected(visible) }, page)
})

/** Streams all forge connections, oldest first, in small batches. */
export const stream = ({ resource }: Authorized<"forgeConnection.list">) => {
  const visible = visibleTo(resource.caller, "forgeConnection.read")
  return Stream.unwrap(Effect.map(ForgeAppStore, ({ connected }) => streamOf((window) => connected(window, visible))))
}

/**
 * Connects a forge with a token of one of its accounts. The token is encrypted and never returned.
 *
 * Outbound requests may then reach the forge's exact host and port, even if they are private. Fails if the forge does
 * not accept the token. With `grantOwner`, the same transaction makes the user of the token an owner of the root team;
 * this fails if people do not sign in through the forge.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"forgeConnection.create">,
  { grantOwner = false, name, platformUrl, signIn = null, sshPort, token, url }: ForgeConnectionCreation
) {
  const account = yield* accountOf({ url, token })
  const owner = grantOwner ? yield* ownerOf({ url, token }, signIn) : undefined
  const uuid = yield* makeUuid(ForgeAppUuid)
  const sealed = yield* (yield* Vault).seal(tokenOwner(uuid), token)
  const at = yield* now
  const client = yield* sealedClient(uuid, signIn)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const inserted = yield* Effect.orDie(
        (yield* ForgeAppStore).insert({
          uuid,
          teamId: teamOf(resource.caller.access),
          name,
          organization: null,
          apiUrl: `${url}/api/v1`,
          htmlUrl: url,
          customUser: "git",
          customPort: sshPort ?? usualSshPort,
          appId: 0,
          installationId: 0,
          ...client,
          webhookSecret: null,
          privateKeyUuid: null,
          connection: {
            account,
            token: sealed,
            platformUrl,
            sshPort,
            rejection: null,
            tokenSince: at,
            rotation: null,
            clientSince: signIn === null ? null : at,
            clientRotation: null
          },
          createdAt: at,
          updatedAt: at
        })
      )
      if (owner !== undefined) {
        yield* requireSignIn(inserted)
        yield* insertOwner(resource.caller, owner)
      }
      return inserted
    })
  )
})

/** Changes a forge connection. Fails if a new token is not accepted by the same forge. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"forgeConnection.update">,
  { name, platformUrl, signIn, sshPort, token }: Partial<Omit<ForgeConnectionInput, "url">>
) {
  const { htmlUrl, uuid } = resource.forgeConnection
  const account = token === undefined ? undefined : yield* accountOf({ url: htmlUrl, token })
  const sealed = token === undefined ? undefined : yield* (yield* Vault).seal(tokenOwner(uuid), token)
  const client = signIn === undefined ? {} : yield* sealedClient(uuid, signIn)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(uuid)
      if (present === undefined || !isConnected(present)) return yield* new ForgeConnectionNotFound()
      const { connection } = present
      const at = yield* now
      const changed: ConnectedForge = {
        ...present,
        ...client,
        name: name ?? present.name,
        connection: {
          ...connection,
          platformUrl: platformUrl ?? connection.platformUrl,
          sshPort: sshPort === undefined ? connection.sshPort : sshPort,
          ...(account === undefined || sealed === undefined
            ? {}
            : { account, token: sealed, rejection: null, tokenSince: at, rotation: null }),
          ...(signIn === undefined ? {} : { clientSince: signIn === null ? null : at, clientRotation: null })
        },
        updatedAt: at
      }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

/**
 * Disconnects a forge: deletes its token, revokes the token at the forge if possible, and ignores its webhooks from
 * then on.
 *
 * The connection and its applications stay. A new token connects the forge again.
 */
export const disconnect = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeConnection.disconnect">) {
  const { uuid } = resource.forgeConnection
  const disconnected = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(uuid)
      if (present === undefined || !isConnected(present)) return yield* new ForgeConnectionNotFound()
      const token = yield* (yield* Vault).seal(tokenOwner(uuid), Redacted.make(""))
      const connection = { ...present.connection, token, rejection: disconnectedHere, rotation: null }
      const changed: ConnectedForge = { ...present, connection, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(changed))
      return { before: present, changed }
    })
  )
  const { before, changed } = disconnected
  if (before.connection.rejection !== disconnectedHere) {
    yield* (yield* ConnectedForges)
      .revoke(yield* openForge(before))
      .pipe(
        Effect.catch(({ because }) =>
          Effect.logWarning("the token of a disconnected forge could not be revoked there", uuid, because)
        )
      )
  }
  return changed
})

/** Removes a forge connection and its token. Fails if an application uses the connection. */
export const remove = removeUseCase("forgeConnection", ForgeAppStore, () => new ForgeConnectionNotFound())

/** Decrypts the token of a forge connection, and returns it with the forge's URL. */
export const openForge = Effect.fnUntraced(function* ({ connection, htmlUrl, uuid }: ConnectedForge) {
  const access: ForgeAccess = { url: htmlUrl, token: yield* (yield* Vault).open(tokenOwner(uuid), connection.token) }
  return access
})

/** Stores the reason why the forge rejected the token of a connection; null if the forge accepts the token again. */
export const noteRejection = Effect.fnUntraced(function* (forge: ConnectedForge, rejection: string | null) {
  if (forge.connection.rejection === rejection) return
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(forge.uuid)
      // A token that was replaced or forgotten meanwhile has not been rejected.
      if (present === undefined || !isConnected(present) || present.connection.token !== forge.connection.token) return
      const connection = { ...present.connection, rejection }
      yield* Effect.orDie(store.replace({ ...present, connection, updatedAt: yield* now }))
    })
  )
})

/**
 * Sends a request to a connected forge, and stores on the connection whether the forge accepted the token. Fails if the
 * forge was disconnected.
 */
export const callForge = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }, R>(
  forge: ConnectedForge,
  call: (access: ForgeAccess) => Effect.Effect<A, E, R>
) {
  if (forge.connection.rejection === disconnectedHere) {
    return yield* new ForgeTokenRejected({ because: disconnectedHere })
  }
  return yield* call(yield* openForge(forge)).pipe(
    Effect.tap(() => noteRejection(forge, null)),
    Effect.tapError((error) =>
      error._tag === "ForgeTokenRejected"
        ? noteRejection(forge, (error as unknown as { readonly because: string }).because)
        : Effect.void
    )
  )
})

/**
 * Checks with a request whether a forge accepts the token of a connection, and stores the result. If the forge does not
 * respond, nothing changes.
 */
export const check = Effect.fnUntraced(function* (forge: ConnectedForge) {
  const forges = yield* ConnectedForges
  yield* Effect.ignore(callForge(forge, (access) => forges.account(access)))
})

/** The maximum number of connections to which outbound requests at private addresses are allowed. */
const mostReachable = 1_000

/** Returns the identity provider for sign-in: the configured one, or the first forge with an OAuth2 client. */
export const signInProvider = Effect.gen(function* () {
  const configured = yield* OutsideProvider
  const connect = yield* ProviderConnector
  if (configured !== undefined || connect === undefined) return configured
  const forge = yield* (yield* ForgeAppStore).firstClient
  if (forge === undefined || forge.clientSecret === null) return undefined
  return connect({
    name: forge.name,
    issuer: new URL(forge.htmlUrl),
    clientId: forge.clientId,
    clientSecret: yield* (yield* Vault).open(clientOwner(forge.uuid), forge.clientSecret),
    profile: true
  })
})

const addressesOf = ({ connection: { sshPort }, htmlUrl }: ConnectedForge): ReadonlyArray<ExactAddress> => {
  const address = exactAddressOf(htmlUrl)
  if (address === undefined) return []
  return sshPort === null ? [address] : [address, { host: address.host, port: sshPort }]
}

/**
 * Returns whether a host and port belong to a connected forge or its SSH server. Outbound requests may reach these
 * addresses even if they are private.
 */
export const isConnectedAddress = (host: string, port: number) =>
  Effect.map(
    Effect.flatMap(ForgeAppStore, ({ connected }) => connected({ limit: mostReachable })),
    (forges) => isExactly(forges.flatMap(addressesOf), host, port)
  )
