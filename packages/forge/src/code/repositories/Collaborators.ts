import { Level, levelWord } from "@slipway/access"
import type { PageRequest } from "@slipway/domain"
import { Transaction } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type CollaboratorLevel,
  isTied,
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
import { findUserUnlessHiddenRename, findVisibleUser, isVisible, passOver } from "../../identity/accounts/Users.ts"

const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/** Whoever administers a repository sees collaborators whose account is hidden too, since they manage them. */
const manages = ({ actor, facts }: Pick<Proof<"repository.collaborator.list">["resource"], "actor" | "facts">) =>
  !actor.facts.publicOnly && levelsOf(facts).permission >= Level.admin

/** Lists the collaborators of a repository that the caller sees, by name: all of them for its administrators. */
export const list = Effect.fnUntraced(function* (
  { resource }: Proof<"repository.collaborator.list">,
  page: PageRequest
) {
  const { actor, repository } = resource
  return yield* (yield* RepositoryStore).collaborators(actor, repository.id, page, manages(resource))
})

/** Tells whether a user collaborates on a repository. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"repository.collaborator.check">, name: string) {
  const { actor, repository } = resource
  const user = yield* manages(resource) ? findUserUnlessHiddenRename(actor, name) : findVisibleUser(actor, name)
  return (yield* (yield* RepositoryStore).collaborator(repository.id, user.id)) !== undefined
})

/**
 * Gives a user a level on a repository, in the place of one they were given before; one who is hidden by the exact name.
 *
 * Nobody gives more than admin, which is what it takes to give (invariant I13).
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
        // Whoever blocks locks whom they block, and it is decided again behind that lock: nobody is added against a block.
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

/** Takes what a user was given on a repository, if anything, also from one whom the caller no longer sees. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, repository } }: Proof<"repository.collaborator.remove">,
    name: string
  ) {
    const user = yield* findUserUnlessHiddenRename(actor, name)
    if (!(yield* (yield* RepositoryStore).removeCollaborator(repository.id, user.id))) yield* passOver(actor, user)
  }),
  (_, name) => ({ details: { user: name } })
)

/**
 * Answers what a user may do with a repository, as the requests of that user would be decided: by teams too, unit by unit.
 *
 * It is told to the user, to those who administer the repository and to site administrators.
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
  // Invariant I9: who has nothing to do with the repository stays hidden from whoever administers it.
  if (!isTied(held, user.id) && !(yield* isVisible(actor, user))) return yield* new UserNotFound({ name })
  const seen = (yield* (yield* UserStore).findMany(actor, [user.id])).get(user.id)
  return {
    ...levelsOf(repositoryFacts(asViewer(user), switches, held)),
    user: seen ?? { ...user, followers: 0, following: 0, starred: 0 }
  }
})
