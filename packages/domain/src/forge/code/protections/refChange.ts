import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The user or deploy key that changes a ref, with the data that protections need. Write access was checked before. */
export interface RefChanger {
  /** The id of the user; undefined for a deploy key. */
  readonly userId: UserId | undefined
  readonly teams: ReadonlyArray<TeamId>
  readonly deployKey: boolean
  readonly administers: boolean
  /**
   * For a user without write access: the only branches that the user may push to, because pull requests allow edits.
   */
  readonly lent?: ReadonlyArray<string> | undefined
}

/** A requested change of one ref. */
export interface RefChange {
  /** The full name of the ref, such as `refs/heads/main`. */
  readonly ref: string
  /** The id of the current object; undefined for a new ref. */
  readonly before: string | undefined
  /** The id of the new object; undefined if the ref is deleted. */
  readonly after: string | undefined
}

/**
 * The data about a ref change that is read from git. An undefined field was not read, and is treated as the worst case.
 */
export interface ChangeContents {
  /** Whether the change is a force push: the current commit of the ref is not an ancestor of the new commit. */
  readonly forced: boolean | undefined
  /** The paths of the changed files. */
  readonly files: ReadonlyArray<string> | undefined
  /** The id of a new commit without a valid signature; null if all new commits have one. */
  readonly unsigned: string | null | undefined
}

/** The data of a ref change before anything is read from git: all fields are undefined. */
export const emptyChangeFacts: ChangeContents = { forced: undefined, files: undefined, unsigned: undefined }

/** The codes of the reasons why a change of a ref is rejected. */
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
  /** The name of the protection that rejects the change; undefined if no protection is the reason. */
  readonly rule: string | undefined
  readonly reason: RefusalReason
  /** The file or commit that is the reason; undefined if there is none. */
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

/** Formats the reason for a rejected change of a ref as one line with the ref and the name of the protection. */
export const refusalText = ({ reason, ref, rule = "", subject = "" }: RefRefused): string =>
  `${ref}: ${texts[reason](rule, subject)}`
