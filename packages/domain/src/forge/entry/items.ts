import { type ItemFacts, type ItemKind, itemKinds } from "../access/items.ts"
import type { Items } from "../accounts/Actor.ts"
import type { Viewer } from "../accounts/Viewer.ts"

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

/** Whether a kind of thing lies within a repository. */
export const isItemKind = (kind: string): kind is ItemKind => (itemKinds as ReadonlyArray<string>).includes(kind)

/**
 * Returns a number that a part of a path is; zero, which nothing has, when it is none.
 *
 * @example
 * numberIn("12") // => 12
 * numberIn("x") // => 0
 */
export const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : 0)

/** Returns what the parameters of a path name of a kind of thing within a repository. */
export const itemKeysIn = <K extends ItemKind>(
  kind: K,
  parameters: Readonly<Record<string, string | undefined>>
): ItemKeys[K] =>
  // BOUNDARY: `keys` says of each parameter what it is; walking it by name forgets that.
  Object.fromEntries(
    Object.entries(items[kind].keys).map(([name, type]) => [
      name,
      type === "number" ? numberIn(parameters[name]) : (parameters[name] ?? "")
    ])
  ) as unknown as ItemKeys[K]
