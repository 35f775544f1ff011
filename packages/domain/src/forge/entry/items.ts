import type { OwnedData } from "../../owned/Owned.ts"
import { type ItemFacts, type ItemKind, itemKinds } from "../access/items.ts"
import type { Repository } from "../code/repositories/Repository.ts"
import { comments, issues } from "../collaboration/issues/Issue.ts"
import { trackedTimes } from "../collaboration/issues/TrackedTime.ts"
import { pulls } from "../collaboration/pulls/PullRequest.ts"
import { reviewComments, reviews } from "../collaboration/pulls/Review.ts"
import { releases } from "../collaboration/releases/Release.ts"
import { sameName, type User } from "../identity/users/User.ts"
import type { Viewer } from "../identity/viewers/Viewer.ts"
import type { Items } from "./Proof.ts"

/** The path parameters that identify a resource within its repository, by resource type. */
export interface ItemKeys {
  readonly issue: { readonly index: number }
  readonly subscriber: { readonly index: number; readonly user: string }
  readonly comment: { readonly id: number }
  readonly trackedTime: { readonly index: number; readonly id: number }
  readonly pull: { readonly index: number }
  readonly review: { readonly index: number; readonly id: number }
  readonly reviewComment: { readonly id: number }
  readonly reviewThread: { readonly index: number; readonly id: number }
  readonly release: { readonly id: number }
  readonly taggedRelease: { readonly tag: string }
  readonly repositoryUser: { readonly collaborator: string }
  readonly heldTeam: { readonly team: string }
}

/**
 * The value that a column must equal to find a row: the id of the repository, a path parameter, or a field of a row
 * that was found earlier.
 */
export type ItemMatch<K extends ItemKind> =
  | "repository"
  | { readonly key: keyof ItemKeys[K] & string }
  | { readonly of: keyof Items[K] & string; readonly field: string }

/** One database row that belongs to a resource within a repository, and how to find it. */
export interface ItemRow<K extends ItemKind> {
  readonly as: keyof Items[K] & string
  readonly kind: OwnedData
  readonly by: Readonly<Record<string, ItemMatch<K>>>
}

/**
 * The viewer of a resource within a repository, with the viewer's user account, because a path may contain the user
 * name.
 */
export interface ItemViewer extends Pick<Viewer, "userId"> {
  readonly user?: Pick<User, "name"> | undefined
}

/**
 * The declaration of a resource type within a repository: its path parameters, its database rows, and its facts (the
 * values that access decisions use).
 */
export interface ItemDeclaration<K extends ItemKind> {
  /** The path parameters that identify the resource, each with its type. An invalid number matches no resource. */
  readonly keys: { readonly [Key in keyof ItemKeys[K]]: ItemKeys[K][Key] extends number ? "number" : "text" }
  /**
   * The database rows of the resource; each row comes after the rows that it depends on.
   *
   * The resource exists if all rows exist. A declaration without rows exists with its repository.
   */
  readonly rows: ReadonlyArray<ItemRow<K>>
  readonly facts: (viewer: ItemViewer, item: Items[K], keys: ItemKeys[K], repository: Repository) => ItemFacts<K>
}

/** Returns whether a path parameter is the name of the viewer, ignoring case. */
export const isNamed = ({ user }: ItemViewer, name: string): boolean => user !== undefined && sameName(user.name, name)

const byIndex = { repositoryId: "repository", number: { key: "index" } } as const
const ofIssue = { issueId: { of: "issue", field: "id" } } as const
const issueOfComment = { id: { of: "comment", field: "issueId" } } as const
const reviewOfComment = { id: { of: "comment", field: "reviewId" } } as const

const reviewFacts = (viewer: Pick<Viewer, "userId">, item: Items["review"]): ItemFacts<"review"> => ({
  ...issueFacts(viewer, item),
  reviewer: viewer.userId !== undefined && item.review.reviewerId === viewer.userId,
  pending: item.review.state === "pending"
})

const issueFacts = (viewer: Pick<Viewer, "userId">, { issue }: Items["issue"]): ItemFacts<"issue"> => ({
  pull: issue.pull,
  author: issue.authorId === viewer.userId,
  locked: issue.locked
})

const releaseFacts = (_: unknown, { release }: Items["release"]): ItemFacts<"release"> => ({ draft: release.draft })

/** The declarations of all resource types within a repository. Store adapters load the resources according to them. */
export const items: { readonly [K in ItemKind]: ItemDeclaration<K> } = {
  issue: {
    keys: { index: "number" },
    rows: [{ as: "issue", kind: issues, by: { repositoryId: "repository", number: { key: "index" } } }],
    facts: issueFacts
  },
  subscriber: {
    keys: { index: "number", user: "text" },
    rows: [{ as: "issue", kind: issues, by: { repositoryId: "repository", number: { key: "index" } } }],
    facts: (viewer, item, { user }) => ({
      ...issueFacts(viewer, item),
      self: isNamed(viewer, user)
    })
  },
  comment: {
    keys: { id: "number" },
    rows: [
      { as: "comment", kind: comments, by: { repositoryId: "repository", id: { key: "id" } } },
      { as: "issue", kind: issues, by: { id: { of: "comment", field: "issueId" } } }
    ],
    facts: (viewer, item) => ({ ...issueFacts(viewer, item), commentAuthor: item.comment.authorId === viewer.userId })
  },
  trackedTime: {
    keys: { index: "number", id: "number" },
    rows: [
      { as: "issue", kind: issues, by: byIndex },
      { as: "time", kind: trackedTimes, by: { ...ofIssue, id: { key: "id" } } }
    ],
    facts: (viewer, item) => ({ ...issueFacts(viewer, item), worker: item.time.userId === viewer.userId })
  },
  pull: {
    keys: { index: "number" },
    rows: [
      { as: "issue", kind: issues, by: byIndex },
      { as: "pull", kind: pulls, by: ofIssue }
    ],
    facts: issueFacts
  },
  review: {
    keys: { index: "number", id: "number" },
    rows: [
      { as: "issue", kind: issues, by: byIndex },
      { as: "pull", kind: pulls, by: ofIssue },
      { as: "review", kind: reviews, by: { ...ofIssue, id: { key: "id" } } }
    ],
    facts: reviewFacts
  },
  reviewComment: {
    keys: { id: "number" },
    rows: [
      { as: "comment", kind: reviewComments, by: { repositoryId: "repository", id: { key: "id" } } },
      { as: "issue", kind: issues, by: issueOfComment },
      { as: "pull", kind: pulls, by: ofIssue },
      { as: "review", kind: reviews, by: reviewOfComment }
    ],
    facts: reviewFacts
  },
  reviewThread: {
    keys: { index: "number", id: "number" },
    rows: [
      { as: "issue", kind: issues, by: byIndex },
      { as: "pull", kind: pulls, by: ofIssue },
      { as: "comment", kind: reviewComments, by: { ...ofIssue, id: { key: "id" } } },
      { as: "review", kind: reviews, by: reviewOfComment }
    ],
    facts: reviewFacts
  },
  release: {
    keys: { id: "number" },
    rows: [{ as: "release", kind: releases, by: { repositoryId: "repository", id: { key: "id" } } }],
    facts: releaseFacts
  },
  taggedRelease: {
    keys: { tag: "text" },
    rows: [{ as: "release", kind: releases, by: { repositoryId: "repository", tag: { key: "tag" } } }],
    facts: releaseFacts
  },
  repositoryUser: {
    keys: { collaborator: "text" },
    rows: [],
    facts: (viewer, _, { collaborator }) => ({ self: isNamed(viewer, collaborator) })
  },
  heldTeam: {
    keys: { team: "text" },
    rows: [],
    facts: (_, __, ___, { owner }) => ({
      ownersDecide: owner.kind === "organization" && !owner.repoAdminChangeTeamAccess
    })
  }
}

/** Returns whether a resource type belongs to a repository. */
export const isItemKind = (kind: string): kind is ItemKind => (itemKinds as ReadonlyArray<string>).includes(kind)

/**
 * Parses a number in a path. Returns zero for an invalid number; no resource has the number zero.
 *
 * @example
 * numberIn("12") // => 12
 * numberIn("x") // => 0
 */
export const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : 0)

/**
 * Parses the keys of a resource within a repository from a text; several keys are separated by slashes.
 *
 * @example
 * itemKeysNamed("issue", "3") // => { index: 3 }
 * itemKeysNamed("review", "3/7") // => { index: 3, id: 7 }
 */
export const itemKeysNamed = <K extends ItemKind>(kind: K, text: string): ItemKeys[K] => {
  const names = Object.keys(items[kind].keys)
  const parts = names.length === 1 ? [text] : text.split("/")
  return itemKeysIn(kind, Object.fromEntries(names.map((name, at) => [name, parts[at]])))
}

/** Returns the keys of a resource within a repository from the path parameters of a request. */
export const itemKeysIn = <K extends ItemKind>(
  kind: K,
  parameters: Readonly<Record<string, string | undefined>>
): ItemKeys[K] =>
  // BOUNDARY: `keys` declares the type of each parameter; iterating over it by name loses the types.
  Object.fromEntries(
    Object.entries(items[kind].keys).map(([name, type]) => [
      name,
      type === "number" ? numberIn(parameters[name]) : (parameters[name] ?? "")
    ])
  ) as unknown as ItemKeys[K]
