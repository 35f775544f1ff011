import { Level, levelWord } from "@slipway/access"
import type { PageRequest } from "@slipway/domain"
import { Transaction } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type CollaboratorLevel,
  hasRelation,
  OwnerCollaborates,
  type Repository,
  RepositoryNotFound,
  RepositoryStore,
  repositoryFacts
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { asViewer, levelsOf } from "@slipway/domain/forge/explanation"
import { signedInUser, UserNotFound, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as Entry from "../../entry/Entry.ts"
import { findUserUnlessHiddenRename, findVisibleUser, ignoreMissing, isVisible } from "../../identity/accounts/Users.ts"

const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/**
 * Returns whether the caller manages the collaborators: repository administrators also see collaborators with hidden
 * accounts.
 */
const manages = ({ actor, facts }: Pick<Proof<"repository.collaborator.list">["resource"], "actor" | "facts">) =>
  !actor.facts.publicOnly && levelsOf(facts).permission >= Level.admin

/**
 * Lists the collaborators of a repository by name; those hidden from the caller are omitted, except for administrators.
 */
export const list = Effect.fnUntraced(function* (
  { resource }: Proof<"repository.collaborator.list">,
  page: PageRequest
) {
  const { actor, repository } = resource
  return yield* (yield* RepositoryStore).collaborators(actor, repository.id, page, manages(resource))
})

/** Returns whether a user is a collaborator of a repository. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"repository.collaborator.check">, name: string) {
  const { actor, repository } = resource
  const user = yield* manages(resource) ? findUserUnlessHiddenRename(actor, name) : findVisibleUser(actor, name)
  return (yield* (yield* RepositoryStore).collaborator(repository.id, user.id)) !== undefined
})

/**
 * Adds a collaborator, or changes the level of an existing one. A hidden user can be added only by the exact name.
 *
 * The highest level is admin, and granting it requires admin permission of the caller (invariant I13).
 */
export const add = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.collaborator.add">,
    name: string,
    level: CollaboratorLevel
  ) {
    const { actor, repository } = resource
    const user = yield* findUserUnlessHiddenRename(actor, name)
    if (repository.owner.kind === "user" && repository.owner.id === user.id)
      return yield* new OwnerCollaborates({ name })
    return yield* (yield* Transaction).run(
      Effect.gen(function* () {
        const repositories = yield* RepositoryStore
        // Blocking locks the blocked user; checked again behind that lock, so that no blocked user is added.
        if ((yield* (yield* UserStore).lock(user.id)) === undefined) return yield* new UserNotFound({ name })
        if ((yield* repositories.lock(repository.id)) === undefined) return yield* missing(repository)
        const { id } = repository
        const about = { kind: "repository", id, named: user.name } as const
        yield* Entry.authorizeElsewhere("repository.collaborator.add", actor, about)
        yield* repositories.setCollaborator(repository.id, { userId: user.id, level })
      })
    )
  }),
  (_, name, level) => ({ details: { user: name, level: levelWord(level) } })
)

/** Removes a collaborator, even one who is hidden from the caller. Does nothing if the user is not a collaborator. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, repository } }: Proof<"repository.collaborator.remove">,
    name: string
  ) {
    const user = yield* findUserUnlessHiddenRename(actor, name)
    if (!(yield* (yield* RepositoryStore).removeCollaborator(repository.id, user.id))) yield* ignoreMissing(actor, user)
  }),
  (_, name) => ({ details: { user: name } })
)

/**
 * Returns the effective permission of a user on a repository, on each unit (feature), including permissions through
 * teams.
 *
 * Only the user, repository administrators and site administrators can read it.
 */
export const permission = Effect.fnUntraced(function* (
  { resource }: Proof<"repository.collaborator.permission">,
  name: string
) {
  const { actor, facts, repository } = resource
  const { switches } = yield* SiteSettings
  const user = facts.self ? signedInUser(resource) : yield* findUserUnlessHiddenRename(actor, name)
  const held = yield* (yield* RepositoryStore).grantsOf(user.id, repository.id)
  if (held === undefined) return yield* missing(repository)
  // Invariant I9: users unrelated to the repository stay hidden from its administrators.
  if (!hasRelation(held, user.id) && !(yield* isVisible(actor, user))) return yield* new UserNotFound({ name })
  const seen = (yield* (yield* UserStore).findMany(actor, [user.id])).get(user.id)
  return {
    ...levelsOf(repositoryFacts(asViewer(user), switches, held)),
    user: seen ?? { ...user, followers: 0, following: 0, starred: 0 }
  }
})
