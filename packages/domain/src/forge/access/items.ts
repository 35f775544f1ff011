import { type FactsOf, flag, type Vocabulary } from "@slipway/access"

const issue = {
  pull: flag("it is a pull request", "it is an issue"),
  author: flag("the caller wrote it", "another user wrote it"),
  locked: flag("the conversation is locked", "the conversation is open")
} as const

const review = {
  ...issue,
  reviewer: flag("the review is the caller's", "the review is another user's"),
  pending: flag("the review is pending", "the review is submitted")
} as const

const release = { draft: flag("the release is a draft", "the release is published") } as const

/**
 * The facts (inputs of access rules) about each resource type within a repository, in addition to the facts about the
 * repository.
 *
 * Every type has the fact `found`. For a missing resource, all boolean facts are false.
 */
export const itemVocabularies = {
  issue,
  subscriber: {
    ...issue,
    self: flag("the caller is the user named", "another user is named")
  },
  comment: {
    ...issue,
    commentAuthor: flag("the caller wrote the comment", "another user wrote the comment")
  },
  trackedTime: {
    ...issue,
    worker: flag("the caller tracked the time", "another user tracked the time")
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
      "only owners of the organization decide which teams have access to its repositories",
      "administrators of the repository decide which teams have access to it"
    )
  }
} as const satisfies Record<string, Vocabulary>

/** The name of a resource type within a repository, such as `issue`. */
export type ItemKind = keyof typeof itemVocabularies

/** Every resource type within a repository. */
export const itemKinds = Object.keys(itemVocabularies) as ReadonlyArray<ItemKind>

/** The facts (inputs of access rules) about a resource within a repository, without those about the repository. */
export type ItemFacts<K extends ItemKind> = FactsOf<(typeof itemVocabularies)[K]>

/** The fact whether the resource in the request path exists; every resource type within a repository has it. */
export const existenceVocabulary = {
  found: flag("the resource in the path exists", "the resource in the path is missing")
} as const satisfies Vocabulary

/** Returns the facts (inputs of access rules) about a resource that does not exist: all are false. */
export const missingItem = <K extends ItemKind>(kind: K): ItemFacts<K> & { readonly found: boolean } =>
  Object.fromEntries(["found", ...Object.keys(itemVocabularies[kind])].map((fact) => [fact, false])) as ItemFacts<K> & {
    readonly found: boolean
  }
