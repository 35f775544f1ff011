import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { Sealed } from "../../../Vault.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

import type { HookEvent } from "./hookEvents.ts"

/** The schema of the id of a webhook. */
export const HookId = Schema.Int.pipe(Schema.brand("HookId"))
export type HookId = typeof HookId.Type

/** The types of webhook receivers. The type determines the format of the payload. */
export const hookTypes = [
  "gitea",
  "forgejo",
  "gogs",
  "slack",
  "discord",
  "dingtalk",
  "telegram",
  "msteams",
  "feishu",
  "matrix",
  "wechatwork",
  "packagist"
] as const
export type HookType = (typeof hookTypes)[number]

/** The formats of a delivery's body: JSON, or a form with the JSON in one field. */
export const contentTypes = ["json", "form"] as const
export type ContentType = (typeof contentTypes)[number]

/**
 * The reaches of a webhook: the events of one repository, of all repositories of an organization or a user, or of the
 * whole site (`system`). A `default` webhook gets no events: it is copied to each new repository.
 */
export const hookReaches = ["repository", "organization", "user", "default", "system"] as const
export type HookReach = (typeof hookReaches)[number]

/** The settings for the appearance of messages that webhooks send to chat services. */
export const lookFields = ["channel", "username", "icon_url", "color"] as const
export type HookLook = { readonly [_ in (typeof lookFields)[number]]?: string }

/** The settings of a webhook, without its secrets. */
export interface HookSettings {
  readonly type: HookType
  readonly url: string
  readonly contentType: ContentType
  readonly look: HookLook
  readonly events: ReadonlyArray<HookEvent>
  /** The glob pattern for branches: only events of matching branches are sent. Empty for all branches. */
  readonly branchFilter: string
  readonly active: boolean
}

/** A webhook: a URL that receives events of a repository, an organization, a user or the site. */
export interface Hook extends HookSettings {
  readonly id: HookId
  readonly reach: HookReach
  readonly repositoryId: RepositoryId | null
  readonly organizationId: OrganizationId | null
  readonly userId: UserId | null
  /** The user who last changed the webhook. It receives only events that this user may read. */
  readonly makerId: UserId | null
  /** The UUID to which the encryption of the webhook's secrets is bound. */
  readonly uuid: string
  readonly secret: Sealed | null
  readonly authorization: Sealed | null
  readonly createdAt: string
  readonly updatedAt: string
}

/**
 * The webhooks of the site, its accounts and repositories. Code finds a webhook only together with its owner, never by
 * its id only.
 */
export const hooks = owned<Hook>()("hook", {
  within: [],
  fields: {
    reach: Fields.oneOf(...hookReaches),
    repositoryId: Fields.nullable(Fields.reference("repository")),
    organizationId: Fields.nullable(Fields.reference("organization")),
    userId: Fields.nullable(Fields.reference("user")),
    makerId: Fields.looseReference("user"),
    uuid: Fields.text(),
    type: Fields.oneOf(...hookTypes),
    url: Fields.text(),
    contentType: Fields.oneOf(...contentTypes),
    look: Fields.json(),
    secret: Fields.nullable(Fields.text()),
    authorization: Fields.nullable(Fields.text()),
    events: Fields.json(),
    branchFilter: Fields.text(),
    active: Fields.boolean(),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { id: ascending() },
  filters: ["reach", "repositoryId", "organizationId", "userId"]
})

/** Reports that no webhook with this id exists. */
export class HookNotFound extends Schema.TaggedError<HookNotFound>()("HookNotFound", { id: Schema.Number }) {}
/** Reports that the requested settings of a webhook are invalid. */
export class HookInvalid extends Schema.TaggedError<HookInvalid>()("HookInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}
/** Reports that the repository, organization, user or site already has the maximum number of webhooks. */
export class TooManyHooks extends Schema.TaggedError<TooManyHooks>()("TooManyHooks", { most: Schema.Int }) {}

/**
 * The maximum number of webhooks of one repository, organization, user or site, because each event is matched against
 * all of them.
 */
export const mostHooks = 50
