import { nameKey } from "@slipway/domain"
import type { ClaimantType, Delivery, SharedOwner } from "@slipway/domain/deploy/apps"
import type { AccountUuid, Identity, TeamId } from "@slipway/domain/deploy/identity"
import type { NotificationChannel } from "@slipway/domain/deploy/infrastructure"
import { Predicate } from "effect"

/** Joins the parts of a key into one text, so that different parts never give the same text. */
export const joined = (...parts: ReadonlyArray<string | null>): string => JSON.stringify(parts)

/** Returns the key of the resource that has claimed a domain. */
export const holderKey = (type: ClaimantType, uuid: string | null): string => joined(type, uuid)

/** Returns the key of a name. The name is unique among the names with the same parent, `within`. */
export const nameKeyInParent = (name: string, within: string | null = null): string => joined(within, nameKey(name))

/** Returns the key of the assignment of a tag to an application. */
export const taggingKey = (application: string, tag: string): string => joined(application, tag)

/** Returns the key of the SSH host key that a server has at one of its addresses. */
export const hostKeyKey = (server: string, address: string): string => joined(server, address)

/** Returns the key of the owner of shared variables, such as a team or a project. */
export const ownerKey = ({ owner, scope }: SharedOwner): string => joined(scope, owner)

/** The index key of the applications that lists contain. Lists omit the applications that belong to a service. */
export const listedKey = "listed"

/** Returns the key that identifies repeated webhook deliveries: the application and the digest of the body. */
export const deliveredKey = (row: Pick<Delivery, "applicationUuid" | "bodyDigest">): string =>
  joined(row.applicationUuid, row.bodyDigest)

/** Returns the key of the preview of a pull request of an application. */
export const previewKey = (application: string, pullRequestId: number): string =>
  joined(application, String(pullRequestId))

/** Returns the key of a notification channel of a team. */
export const channelKey = (team: TeamId, channel: NotificationChannel): string => joined(String(team), channel)

/** Returns the key of a member of a team. */
export const memberKey = (team: TeamId, account: AccountUuid): string => joined(String(team), account)

/** Returns the key of an external identity. */
export const identityKey = ({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string =>
  joined(issuer, subject)

/**
 * Returns the number or the text at a path of a row, such as `placement.serverUuid`. Returns null for a missing or
 * other value.
 */
export const factOf = (row: unknown, path: string): string | null => {
  const fact = path.split(".").reduce((part, name) => (Predicate.isObject(part) ? part[name] : undefined), row)
  return Predicate.isNumber(fact) ? String(fact) : Predicate.isString(fact) ? fact : null
}
