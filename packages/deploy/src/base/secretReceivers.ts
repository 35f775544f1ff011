import type { Problems } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"

/**
 * The authorization proof for reading the secrets in a team's settings. The same permission covers notifications, image
 * registries and log drains.
 */
export type TeamSecrets = Authorized<"notification.secrets">

/** A change of settings that determine the server to which a stored secret is sent. */
export interface ReceiverChange {
  /** The request field that contains the secret. */
  readonly field: string
  /** The name of the setting that selects the server, as a part of an error message. */
  readonly receiver: string
  readonly isStored: boolean
  /** Whether the request replaces or removes the secret. */
  readonly isSent: boolean
  readonly isMoved: boolean
}

/**
 * Returns the problem of a change that would send a stored secret to another server; no problem if the caller may read
 * secrets.
 *
 * Without this check, a token that cannot read a secret could redirect it to a server of its choice.
 */
export const receiverProblems = (
  { field, isMoved, isSent, isStored, receiver }: ReceiverChange,
  secrets: TeamSecrets | undefined
): Problems =>
  secrets === undefined && isStored && isMoved && !isSent
    ? { [field]: [`Must be sent again with another ${receiver}, unless the token has \`read:sensitive\` or \`root\`.`] }
    : {}
