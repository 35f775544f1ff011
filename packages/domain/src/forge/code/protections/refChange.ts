import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The user or key that changes a ref, with the facts that protections use; write access is decided before. */
export interface RefChanger {
  /** The user; undefined for a deploy key. */
  readonly userId: UserId | undefined
  readonly teams: ReadonlyArray<TeamId>
  readonly deployKey: boolean
  readonly administers: boolean
  /** The branches that are lent to a user without write access, and the only ones that the user may push to. */
  readonly lent?: ReadonlyArray<string> | undefined
}

/** A requested change of one ref. */
export interface RefChange {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string
  /** The current object; null for a new ref. */
  readonly before: string | undefined
  /** The new object; null for a deleted ref. */
  readonly after: string | undefined
}

/**
 * The facts about the objects of a change; `undefined` means that a fact was not read, and counts as the worst case.
 */
export interface ChangeContents {
  /** Whether the current commit of the ref is not an ancestor of the new one. */
  readonly forced: boolean | undefined
  /** The changed paths. */
  readonly files: ReadonlyArray<string> | undefined
  /** A new commit without a valid signature; `null` if all have one. */
  readonly unsigned: string | null | undefined
}

/** A change without any read facts. */
export const emptyChangeFacts: ChangeContents = { forced: undefined, files: undefined, unsigned: undefined }

/** The reasons to reject a change of a ref. */
export type RefusalReason =
  | "lent"
  | "namespace"
  | "name"
  | "default-branch"
  | "deletion"
  | "push"
  | "force-push"
  | "protected-file"
  | "signature"
  | "tag"

/** A rejected change of a ref, with the rule and the reason. */
export interface RefRefused {
  readonly allowed: false
  readonly ref: string
  /** The name of the protection; undefined where the refusal applies to the ref for all users. */
  readonly rule: string | undefined
  readonly reason: RefusalReason
  /** The rejected file or commit. */
  readonly subject: string | undefined
}

/** The decision on a change of one ref. */
export type RefDecision = { readonly allowed: true; readonly ref: string } | RefRefused

const texts: { readonly [R in RefusalReason]: (rule: string, subject: string) => string } = {
  lent: () => "you can only push to branches that pull requests lend to you, and cannot delete them",
  namespace: () => "refs are branches (refs/heads/), tags (refs/tags/) and notes (refs/notes/)",
  name: () => "the name is not valid for a branch or a tag",
  "default-branch": () => "the default branch cannot be deleted",
  deletion: (rule) => `the rule \`${rule}\` does not allow deleting it`,
  push: (rule) => `the rule \`${rule}\` does not allow you to push to it`,
  "force-push": (rule) => `the rule \`${rule}\` does not allow you to rewrite it`,
  "protected-file": (rule, subject) => `the rule \`${rule}\` protects the file ${subject}`,
  signature: (rule, subject) => `the rule \`${rule}\` requires signed commits, and ${subject} has no valid signature`,
  tag: (rule) => `the rule \`${rule}\` protects the tag`
}

/** Returns the reason for a rejected change of a ref in one line: the ref, and the rule by its name. */
export const refusalText = ({ reason, ref, rule = "", subject = "" }: RefRefused): string =>
  `${ref}: ${texts[reason](rule, subject)}`
