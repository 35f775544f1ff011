import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { PrivateKeyUuid } from "../keys/PrivateKey.ts"

/** The uuid of an app installation at a git host, or of a connection to a forge. */
export const ForgeAppUuid = Uuid.pipe(Schema.brand("ForgeAppUuid"))
export type ForgeAppUuid = typeof ForgeAppUuid.Type

/**
 * The rotation of a credential of a connection, step by step; each step is stored before the next one starts.
 *
 * - `requested`: a process requests a new token from the forge; after its lease expires, another process retries.
 * - `stored`: the new token is stored but not used yet.
 * - `swapped`: the new token is in use, and the old token is not revoked yet.
 */
export type CredentialRotation =
  | { readonly stage: "requested"; readonly at: string }
  | { readonly stage: "stored"; readonly successor: Sealed }
  | { readonly stage: "swapped"; readonly at: string }

/** The connection to a forge (the code hosting service) with the token of a forge account. */
export interface ForgeConnection {
  /** The name of the forge account. */
  readonly account: string
  readonly token: Sealed
  /** The base URL of this platform, to which the forge sends webhooks. */
  readonly platformUrl: string
  /** The port of the forge's SSH server, to clone with deploy keys; null to clone over HTTP with the token. */
  readonly sshPort: number | null
  /** The reason why the connection is disabled: the forge rejected the token, or a user disconnected it; else null. */
  readonly rejection: string | null
  /** The time when the token was entered or rotated; null for connections from before this field existed. */
  readonly tokenSince: string | null
  /** The rotation of the token. */
  readonly rotation: CredentialRotation | null
  /** When the secret of the OAuth2 client was sent or rotated; null without a client, or if it is older than this field. */
  readonly clientSince: string | null
  /** The rotation of the secret of the OAuth2 client. */
  readonly clientRotation: CredentialRotation | null
}

/** The value of `rejection` after a user disconnected the forge on this platform. */
export const disconnectedHere = "the forge was disconnected on this platform: connect it again with a new token"

/**
 * A git host with access to private repositories: an app installation (such as a GitHub app), or, if `connection` is
 * set, a connection to a forge by token.
 *
 * A connection has no signing key. Its client id and secret, if set, are for sign-in through the forge.
 */
export interface ForgeApp extends Entity {
  readonly uuid: ForgeAppUuid
  readonly teamId: TeamId
  readonly name: string
  readonly organization: string | null
  readonly apiUrl: string
  readonly htmlUrl: string
  readonly customUser: string
  readonly customPort: number
  readonly appId: number
  readonly installationId: number
  readonly clientId: string
  readonly clientSecret: Sealed | null
  readonly webhookSecret: Sealed | null
  readonly privateKeyUuid: PrivateKeyUuid | null
  readonly connection: ForgeConnection | null
}

/** A git host that is connected by a token, not by an app installation. */
export interface ConnectedForge extends ForgeApp {
  readonly connection: ForgeConnection
}

/** Returns whether a git host is connected by a token, not by an app installation. */
export const isConnected = (app: ForgeApp): app is ConnectedForge => app.connection !== null

/** Reports that the forge connection does not exist. */
export class ForgeConnectionNotFound extends Schema.TaggedError<ForgeConnectionNotFound>()(
  "ForgeConnectionNotFound",
  {}
) {}

/** Reports that another rotation of the connection's token is still running; no new rotation was started. */
export class ForgeRotationRunning extends Schema.TaggedError<ForgeRotationRunning>()("ForgeRotationRunning", {}) {}

/** Reports that the app installation at a git host does not exist. */
export class ForgeAppNotFound extends Schema.TaggedError<ForgeAppNotFound>()("ForgeAppNotFound", {}) {}
