import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { PrivateKeyUuid } from "../keys/PrivateKey.ts"

/** The uuid of an app installation. */
export const ForgeAppUuid = Uuid.pipe(Schema.brand("ForgeAppUuid"))
export type ForgeAppUuid = typeof ForgeAppUuid.Type

/**
 * The rotation of the token of a connection, step by step; each step is stored before the next one starts.
 *
 * - `requested`: a process asks the forge for a successor; after the lease, another one asks again.
 * - `stored`: the successor is stored, and not used yet.
 * - `swapped`: the successor is in use, and its predecessor is not revoked yet.
 */
export type TokenRotation =
  | { readonly stage: "requested"; readonly at: string }
  | { readonly stage: "stored"; readonly token: Sealed }
  | { readonly stage: "swapped"; readonly at: string }

/** The connection to a forge with a token of one of its accounts. */
export interface ForgeConnection {
  /** The name of the account. */
  readonly account: string
  readonly token: Sealed
  /** The origin at which the forge reaches this platform with webhooks. */
  readonly platformUrl: string
  /** The port of the forge's SSH server, through which deploy keys read; null to read with the token. */
  readonly sshPort: number | null
  /** Why the connection is not used: the forge rejected the token, or a user disconnected it; null while it works. */
  readonly rejection: string | null
  /** When the token was sent or rotated; null if it is older than this field. */
  readonly tokenSince: string | null
  readonly rotation: TokenRotation | null
}

/** The rejection of a connection after its token was revoked on this platform. */
export const disconnectedHere = "the forge was disconnected on this platform: connect it again with a new token"

/**
 * An app installation at a git host, with access to private repositories; or, if `connection` is set, a connection to
 * a forge.
 *
 * A connection has no signing key. Its client id and secret, if set, are those for sign-in through the forge.
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

/** A git host with a connection. */
export interface ConnectedForge extends ForgeApp {
  readonly connection: ForgeConnection
}

/** Returns whether a git host is connected by a token. */
export const isConnected = (app: ForgeApp): app is ConnectedForge => app.connection !== null

/** Reports that the forge connection does not exist. */
export class ForgeConnectionNotFound extends Schema.TaggedError<ForgeConnectionNotFound>()(
  "ForgeConnectionNotFound",
  {}
) {}

/** Reports that a rotation of the connection's token is under way, so that none was started. */
export class ForgeRotationRunning extends Schema.TaggedError<ForgeRotationRunning>()("ForgeRotationRunning", {}) {}

/** Reports that the git-hosting app installation does not exist. */
export class ForgeAppNotFound extends Schema.TaggedError<ForgeAppNotFound>()("ForgeAppNotFound", {}) {}
