import { Level } from "@slipway/access"
import { admit, fullScope, ordinary, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { noRepositoryGrants } from "@slipway/domain/forge/code"
import { actorFactsHere, FactsStore, type Target } from "@slipway/domain/forge/entry"
import type { KeyHolder, SshKey, User } from "@slipway/domain/forge/identity"
import { type Actor, callerFacts, nobody, SshKeyStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { recordKeyUse } from "./credentials/recordKeyUse.ts"
import { AccessRefused, type EnteredActor } from "./Entry.ts"

const userActor = (user: User, key: SshKey, address: string): Actor => ({
  facts: callerFacts(user, fullScope, { withPassword: false, sudo: false }),
  userId: user.id,
  user,
  signedInAs: user,
  token: undefined,
  key,
  scope: fullScope,
  via: { kind: "key", address }
})

/** Returns the actor of a request with a deploy key: no user, and only the permission that was given to the key. */
const deployActor = (key: SshKey, address: string): Actor => ({
  ...nobody,
  facts: { ...ordinary, withPassword: false, mayCreateOrganizations: false, restricted: true, secondFactor: true },
  key,
  via: { kind: "key", address }
})

const enterUser = Effect.fnUntraced(function* (
  key: SshKey,
  { userId }: Extract<KeyHolder, { kind: "user" }>,
  about: Target<"repository">,
  address: string
) {
  const user = yield* (yield* UserStore).find(userId)
  if (user === undefined) return undefined
  const loaded = yield* (yield* FactsStore).load({ caller: { _tag: "Name", name: user.name }, sudo: undefined, about })
  // The name may belong to another user since.
  if (loaded.caller?.user.id !== userId) return undefined
  return { actor: userActor(loaded.caller.user, key, address), found: loaded.found }
})

const enterDeploy = Effect.fnUntraced(function* (
  key: SshKey,
  { readOnly, repositoryId }: Extract<KeyHolder, { kind: "repository" }>,
  about: Target<"repository">,
  address: string
) {
  const { found } = yield* (yield* FactsStore).load({ caller: { _tag: "Nobody" }, sudo: undefined, about })
  // Other repositories are hidden from a deploy key, even public ones.
  const own = found?.repository.id === repositoryId ? found : undefined
  const grants = { ...noRepositoryGrants, collaborator: readOnly ? Level.read : Level.write }
  return { actor: deployActor(key, address), found: own && { ...own, grants } }
})

/**
 * Authenticates the user or the deploy key of an SSH key, with the same checks as for other credentials, and loads the
 * repository.
 *
 * Returns undefined if the key was deleted in the meantime.
 */
export const enterWithKey: (
  id: number,
  about: Target<"repository">,
  address: string
) => Effect.Effect<
  EnteredActor<"repository"> | undefined,
  AccessRefused,
  FactsStore | SiteSettings | SshKeyStore | UserStore
> = Effect.fnUntraced(function* (id, about, address) {
  const key = yield* (yield* SshKeyStore).find(id)
  if (key === undefined) return undefined
  const entered =
    key.holder.kind === "user"
      ? yield* enterUser(key, key.holder, about, address)
      : yield* enterDeploy(key, key.holder, about, address)
  if (entered === undefined) return undefined
  const site = yield* SiteSettings
  const { switches } = site
  const decision = admit(siteFactsOf(switches, entered.actor.facts))
  if (!decision.allowed) return yield* new AccessRefused({ decision })
  yield* recordKeyUse(key)
  return {
    actor: yield* actorFactsHere(entered.actor, site),
    found: entered.found,
    switches,
    about
  } satisfies EnteredActor<"repository">
})

/**
 * Returns the name with which an SSH client is greeted: the user name, or the title of a deploy key. Undefined if the
 * user was deleted.
 */
export const greetingName = Effect.fnUntraced(function* ({ holder, title }: SshKey) {
  if (holder.kind === "repository") return `the deploy key ${title}`
  const user = yield* (yield* UserStore).find(holder.userId)
  return user?.name
})
