import { Effect } from "effect"
import type { SeenUser, UserId } from "../accounts/User.ts"
import { UserStore } from "../accounts/UserStore.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import { forks } from "../forks/Fork.ts"
import { stars, watches } from "../interests/Interest.ts"
import { issues } from "../issues/Issue.ts"
import type { Mirror } from "../mirrors/Mirror.ts"
import { followedBy } from "../mirrors/PullMirrors.ts"
import type { Organization, OrganizationId } from "../organizations/Organization.ts"
import { OrganizationStore } from "../organizations/OrganizationStore.ts"
import { releases } from "../releases/Release.ts"
import { mostTopics, repositoryTopics } from "../topics/Topic.ts"
import type { Repository } from "./Repository.ts"
import { profilesOf } from "./RepositoryProfile.ts"

/** What stands beside a repository in answers: who owns it, and how much of each thing it has. */
export interface RepositoryDetails {
  readonly owner:
    | { readonly kind: "user"; readonly user: SeenUser }
    | { readonly kind: "organization"; readonly organization: Organization }
    /** The owner has gone meanwhile. */
    | undefined
  readonly openIssues: number
  readonly openPulls: number
  readonly stars: number
  readonly watchers: number
  /** What it follows, or was copied from. */
  readonly follows: Mirror | undefined
  readonly forks: number
  /** Whether it was forked from one that is there. */
  readonly fork: boolean
  /** By name. */
  readonly topics: ReadonlyArray<string>
  readonly releases: number
  readonly avatar: AvatarName | null
  readonly language: string
  readonly licenses: ReadonlyArray<string>
}

const idsOf = <Id>(repositories: ReadonlyArray<Repository>, kind: "user" | "organization"): ReadonlyArray<Id> => [
  ...new Set(repositories.flatMap(({ owner }) => (owner.kind === kind ? [owner.id as Id] : [])))
]

/**
 * Reads what stands beside repositories, in one statement for each kind of it, however many they are.
 *
 * None waits for another, so that they go to the database together.
 */
export const detailsOf = Effect.fnUntraced(function* (viewer: Viewer, repositories: ReadonlyArray<Repository>) {
  const ids = repositories.map(({ id }) => id)
  const read = {
    users: Effect.flatMap(UserStore, (store) => store.findMany(viewer, idsOf<UserId>(repositories, "user"))),
    organizations: Effect.flatMap(OrganizationStore, (store) =>
      store.findMany(idsOf<OrganizationId>(repositories, "organization"))
    ),
    opened: Effect.flatMap(issues.store, (store) => store.counts("repositoryId", ids)),
    starred: Effect.flatMap(stars.store, (store) => store.counts("repositoryId", ids)),
    watched: Effect.flatMap(watches.store, (store) => store.counts("repositoryId", ids)),
    followed: followedBy(ids),
    forked: Effect.flatMap(forks.store, (store) => store.counts("parentId", ids)),
    origins: Effect.flatMap(forks.store, (store) => store.listFor("repositoryId", ids, 1)),
    topics: Effect.flatMap(repositoryTopics.store, (store) => store.listFor("repositoryId", ids, mostTopics)),
    released: Effect.flatMap(releases.store, (store) => store.counts("repositoryId", ids)),
    profiles: profilesOf(ids)
  }
  const { followed, forked, opened, organizations, origins, profiles, released, starred, topics, users, watched } =
    yield* Effect.all(read, { concurrency: "unbounded" })
  return ({ id, owner }: Repository): RepositoryDetails => {
    const user = owner.kind === "user" ? users.get(owner.id) : undefined
    const organization = owner.kind === "organization" ? organizations.get(owner.id) : undefined
    const counts = opened.get(id)
    const profile = profiles.get(id)
    return {
      owner: user ? { kind: "user", user } : organization && { kind: "organization", organization },
      openIssues: counts?.openIssues ?? 0,
      openPulls: counts?.openPulls ?? 0,
      stars: starred.get(id)?.stars ?? 0,
      watchers: watched.get(id)?.watchers ?? 0,
      follows: followed.get(id),
      forks: forked.get(id)?.forks ?? 0,
      fork: (origins.get(id)?.[0]?.parentId ?? null) !== null,
      releases: released.get(id)?.releases ?? 0,
      avatar: profile?.avatar ?? null,
      language: profile?.language ?? "",
      licenses: profile?.licenses ?? [],
      topics: (topics.get(id) ?? []).map(({ name }) => name)
    }
  }
})
