import type { ItemFacts, ItemKind } from "../access/items.ts"
import type { Viewer } from "../accounts/Actor.ts"
import type { Comment, Issue } from "../issues/Issue.ts"

/** What is there of each kind of thing within a repository, with what it lies in. */
export interface Items {
  readonly issue: { readonly issue: Issue }
  readonly comment: { readonly issue: Issue; readonly comment: Comment }
}

/** What names each kind of thing within its repository. */
export interface ItemKeys {
  readonly issue: { readonly index: number }
  readonly comment: { readonly id: number }
}

/** How a kind of thing within a repository is named, and what decides about it. */
export interface ItemDeclaration<K extends ItemKind> {
  /** The parameters of the path that name it, each with what it is: a number that isn't one names nothing. */
  readonly keys: { readonly [Key in keyof ItemKeys[K]]: ItemKeys[K][Key] extends number ? "number" : "text" }
  readonly facts: (viewer: Pick<Viewer, "userId">, item: Items[K]) => ItemFacts<K>
}

const issueFacts = (viewer: Pick<Viewer, "userId">, { issue }: Items["issue"]): ItemFacts<"issue"> => ({
  pull: issue.pull,
  author: issue.authorId === viewer.userId,
  locked: issue.locked
})

/** Every kind of thing within a repository: adapters add one join for each. */
export const items: { readonly [K in ItemKind]: ItemDeclaration<K> } = {
  issue: { keys: { index: "number" }, facts: issueFacts },
  comment: {
    keys: { id: "number" },
    facts: (viewer, item) => ({ ...issueFacts(viewer, item), commentAuthor: item.comment.authorId === viewer.userId })
  }
}
