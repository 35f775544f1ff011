import type { Problems } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"

/**
 * Proves that a caller may read secrets of the settings of its team. The rule is the same for notifications, registries
 * and log drains.
 */
export type TeamSecrets = Authorized<"notification.secrets">

/** A change of settings that decide which server gets a stored secret. */
export interface ReceiverChange {
  /** The field of the secret in a request. */
  readonly field: string
  /** The name of the setting that chooses the server, as part of a sentence. */
  readonly receiver: string
  readonly isStored: boolean
  /** Whether the request replaces or removes the secret. */
  readonly isSent: boolean
  readonly isMoved: boolean
}

/**
 * Refuses a change that would send a stored secret to another server. Otherwise a token that cannot read secrets could
 * choose the server that gets it.
 */
export const receiverProblems = (
  { field, isMoved, isSent, isStored, receiver }: ReceiverChange,
  secrets: TeamSecrets | undefined
): Problems =>
  secrets === undefined && isStored && isMoved && !isSent
    ? { [field]: [`Must be sent again with another ${receiver}, unless the token has \`read:sensitive\` or \`root\`.`] }
    : {}
