import { type FactsOf, flag, type Vocabulary } from "@slipway/access"

const issue = {
  pull: flag("it is a pull request", "it is an issue"),
  author: flag("the caller wrote it", "somebody else wrote it"),
  locked: flag("the conversation is locked", "the conversation is open")
} as const

const review = {
  ...issue,
  reviewer: flag("the review is the caller's", "the review is somebody else's"),
  pending: flag("the review is not submitted", "the review is submitted")
} as const

const release = { draft: flag("the release is a draft", "the release is published") } as const

/**
 * The facts about each resource type within a repository, in addition to those about the repository.
 *
 * All of them include `found`. For a missing resource every flag is off.
 */
export const itemVocabularies = {
  issue,
  subscriber: {
    ...issue,
    self: flag("the caller is the user named", "another user is named")
  },
  comment: {
    ...issue,
    commentAuthor: flag("the caller wrote the comment", "somebody else wrote the comment")
  },
  trackedTime: {
    ...issue,
    worker: flag("the caller worked the time", "somebody else worked the time")
  },
  pull: issue,
  review,
  reviewComment: review,
  reviewThread: review,
  release,
  taggedRelease: release,
  repositoryUser: { self: flag("the caller is the user named", "another user is named") },
  heldTeam: {
    ownersDecide: flag(
      "the organization leaves it to its owners which teams hold its repositories",
      "no organization leaves it to its owners which teams hold the repository"
    )
  }
} as const satisfies Record<string, Vocabulary>

/** The resource types within a repository that have facts for decisions. */
export type ItemKind = keyof typeof itemVocabularies

/** Every resource type within a repository. */
export const itemKinds = Object.keys(itemVocabularies) as ReadonlyArray<ItemKind>

/** The facts of a resource within a repository, without those of the repository. */
export type ItemFacts<K extends ItemKind> = FactsOf<(typeof itemVocabularies)[K]>

/** Whether the resource in the path exists; every resource type within a repository has this fact. */
export const foundVocabulary = {
  found: flag("what the path names is there", "what the path names is missing")
} as const satisfies Vocabulary

/** Returns the facts of a missing resource. */
export const missingItem = <K extends ItemKind>(kind: K): ItemFacts<K> & { readonly found: boolean } =>
  Object.fromEntries(["found", ...Object.keys(itemVocabularies[kind])].map((fact) => [fact, false])) as ItemFacts<K> & {
    readonly found: boolean
  }
