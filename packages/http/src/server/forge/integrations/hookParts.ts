import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type Commit,
  identTime,
  isObjectId,
  noRepositoryGrants,
  type PushedCommit,
  type Repository
} from "@slipway/domain/forge/code"
import {
  type Actor,
  type NewEvent,
  nobody,
  noProfile,
  OrganizationStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import type { CommitPeople } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { Effect } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showPayloadUser } from "../base/payloadUser.ts"
import { showOrganizationTo, showProfile, showUserTo } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"

const acting = { actor: nobody }

/** Returns the URL of a repository's web page. */
const pageOfRepository = (rootUrl: string, { name, owner }: Pick<Repository, "name" | "owner">): string =>
  `${rootUrl}/${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}`

const shownTo = (actor: Actor, repository: Repository) =>
  Effect.map(showRepositoriesTo({ actor }, [{ repository, grants: noRepositoryGrants }]), ([shown]) => shown)

/**
 * Returns the repository part of a webhook payload: the repository as anonymous users see it.
 *
 * If anonymous users cannot see the repository, the part is complete, but has only the names of the owner.
 */
export const repositoryPart = Effect.fnUntraced(function* (repository: Repository) {
  const open = yield* shownTo(nobody, repository)
  if (open !== undefined) return open
  const { actor } = Entry.system("admin.user.edit").resource
  const whole = yield* shownTo(actor, repository)
  const { id, kind: _, name, ...owner } = repository.owner
  const named = { id, login: name, username: name, full_name: owner.fullName, visibility: owner.visibility }
  return whole === undefined ? { id: repository.id, name: repository.name, owner: named } : { ...whole, owner: named }
})

/**
 * Returns the sender part of a webhook payload; for a hidden or deleted user only the name at the time of the event.
 */
export const senderPart = Effect.fnUntraced(function* (actor: NewEvent["actor"]) {
  const publicUrl = yield* PublicUrl
  const named = (id: number, name: string, email: string) =>
    showProfile(publicUrl, { ...noProfile, id: id as UserId, name, email, account: undefined })
  if (actor === null) return named(0, "", "")
  const user = (yield* (yield* UserStore).findMany(nobody, [actor.id])).get(actor.id)
  if (user !== undefined) return (yield* showUserTo(acting))(user)
  return named(actor.id, actor.name, `${actor.name.toLowerCase()}@noreply.${(yield* SiteSettings).host}`)
})

/** Returns the organization part of a webhook payload; an empty object if the owner is a user. */
export const organizationPart = Effect.fnUntraced(function* ({ owner }: Pick<Repository, "owner">) {
  if (owner.kind !== "organization") return {}
  const found = yield* (yield* OrganizationStore).find(owner.id)
  return found === undefined ? {} : { organization: (yield* showOrganizationTo(acting))(found) }
})

/** The repository and actor of an event, with the parts that every webhook payload has. */
export interface PayloadContext {
  readonly repository: Repository
  readonly url: string
  readonly actor: NewEvent["actor"]
  readonly parts: Readonly<Record<string, unknown>>
  /** The owner of the repository in the format of a user. */
  readonly owner: unknown
}

/** Builds the payload parts that all events of a repository and actor share. */
export const payloadContextOf = Effect.fnUntraced(function* (repository: Repository, actor: NewEvent["actor"]) {
  const shown = yield* repositoryPart(repository)
  const parts = {
    repository: shown,
    ...(yield* organizationPart(repository)),
    sender: yield* senderPart(actor)
  }
  return {
    repository,
    url: pageOfRepository((yield* PublicUrl).rootUrl, repository),
    actor,
    parts,
    owner: shown.owner
  } satisfies PayloadContext
})

/** Returns the message of an event for chat services such as Slack. */
export const messageAt = (
  { actor, repository }: PayloadContext,
  title: string,
  link: string,
  lines: ReadonlyArray<string> = []
) => {
  const name = `${repository.owner.name}/${repository.name}`
  return { title: `[${name}] ${title}`, link, lines, repository: name, sender: actor?.name ?? "" }
}

interface Changed {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly modified: ReadonlyArray<string>
}

/** Returns the webhook payload of a commit, from git or else from the data recorded at the push. */
export const commitPart = (
  url: string,
  noted: PushedCommit,
  commit: Commit | undefined,
  changed: Changed | undefined,
  people: CommitPeople
) => {
  const author = showPayloadUser({ name: noted.author, email: noted.email }, people)
  const committer = commit && showPayloadUser(commit.committer, people)
  return {
    id: noted.id,
    message: commit?.message ?? noted.subject,
    url: `${url}/commit/${noted.id}`,
    author,
    committer: committer ?? author,
    verification: null,
    timestamp: commit === undefined ? noted.at : identTime(commit.committer),
    // The files are null where they aren't known: an empty list would mean that there are none.
    added: changed?.added ?? null,
    removed: changed?.removed ?? null,
    modified: changed?.modified ?? null
  }
}

/** Converts a commit to the data that is recorded at a push. */
export const notedCommit = ({ author, id, message }: Commit): PushedCommit => ({
  id,
  subject: message.split("\n")[0] ?? "",
  author: author.name,
  email: author.email,
  at: identTime(author)
})

/** Returns those texts that are git object ids. */
export const objectIdsIn = (texts: ReadonlyArray<string>) => texts.filter(isObjectId)
