import { nameKey } from "@slipway/domain"
import type { ClaimantType, Delivery, SharedOwner } from "@slipway/domain/deploy/apps"
import type { AccountUuid, Identity, TeamId } from "@slipway/domain/deploy/identity"
import type { NotificationChannel } from "@slipway/domain/deploy/infrastructure"
import { Predicate } from "effect"

/** Joins a list into a text without ambiguity between its parts. */
export const joined = (...parts: ReadonlyArray<string | null>): string => JSON.stringify(parts)

/** Returns the key of an owner of domain claims. */
export const holderKey = (type: ClaimantType, uuid: string | null): string => joined(type, uuid)

/** Returns the key of a name, unique among names with the same parent. */
export const nameKeyInParent = (name: string, within: string | null = null): string => joined(within, nameKey(name))

/** Returns the key of a tag of an application. */
export const taggingKey = (application: string, tag: string): string => joined(application, tag)

/** Returns the map key under which the SSH host key of a server's address is stored. */
export const hostKeyKey = (server: string, address: string): string => joined(server, address)

/** Returns the key of an owner of shared variables. */
export const ownerKey = ({ owner, scope }: SharedOwner): string => joined(scope, owner)

/** The key of the applications that lists contain: all except those of services. */
export const listedKey = "listed"

/** Returns the key of a delivery's event for an application. */
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

/** Returns a number or a text of a row by its path, such as `placement.serverUuid`; null for anything else. */
export const factOf = (row: unknown, path: string): string | null => {
  const fact = path.split(".").reduce((part, name) => (Predicate.isObject(part) ? part[name] : undefined), row)
  return Predicate.isNumber(fact) ? String(fact) : Predicate.isString(fact) ? fact : null
}
