import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The user or key that changes a ref, with the facts that protections use; write access is decided before. */
export interface RefChanger {
  /** The user; undefined for a deploy key. */
  readonly userId: UserId | undefined
  readonly teams: ReadonlyArray<TeamId>
  readonly deployKey: boolean
  readonly administers: boolean
  /** The branches that are lent to them where they don't write the code, and all that they may push to. */
  readonly lent?: ReadonlyArray<string> | undefined
}

/** A requested change of one ref. */
export interface RefChange {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string
  /** The object it names at present; nothing for a ref that is to be made. */
  readonly before: string | undefined
  /** The object it is to name; nothing for one that is to be deleted. */
  readonly after: string | undefined
}

/**
 * The facts about the objects of a change; `undefined` means that a fact was not read, and counts as the worst case.
 */
export interface ChangeContents {
  /** Whether the current commit of the ref is not an ancestor of the new one. */
  readonly forced: boolean | undefined
  /** The paths that the change touches. */
  readonly files: ReadonlyArray<string> | undefined
  /** A new commit without a valid signature; `null` when all have one. */
  readonly unsigned: string | null | undefined
}

/** A change of which nothing was read. */
export const nothingRead: ChangeContents = { forced: undefined, files: undefined, unsigned: undefined }

/** The reasons for which a change of a ref is refused. */
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

/** A change of a ref that is refused, by which rule and why. */
export interface RefRefused {
  readonly allowed: false
  readonly ref: string
  /** The name of the protection; undefined where the refusal applies to the ref for all users. */
  readonly rule: string | undefined
  readonly reason: RefusalReason
  /** The file or the commit at fault. */
  readonly subject: string | undefined
}

/** The decision on a change of one ref. */
export type RefDecision = { readonly allowed: true; readonly ref: string } | RefRefused

const texts: { readonly [R in RefusalReason]: (rule: string, subject: string) => string } = {
  lent: () => "you may only push to branches that pull requests lend to you, and not delete them",
  namespace: () => "refs are branches (refs/heads/), tags (refs/tags/) and notes (refs/notes/)",
  name: () => "this is no name for a branch or a tag",
  "default-branch": () => "the default branch can't be deleted",
  deletion: (rule) => `the rule \`${rule}\` protects it from being deleted`,
  push: (rule) => `the rule \`${rule}\` lets you not push to it`,
  "force-push": (rule) => `the rule \`${rule}\` lets you not rewrite it`,
  "protected-file": (rule, subject) => `the rule \`${rule}\` protects the file ${subject}`,
  signature: (rule, subject) =>
    `the rule \`${rule}\` wants signed commits, and ${subject} has no signature that counts`,
  tag: (rule) => `the rule \`${rule}\` protects the tag`
}

/** Returns in one line why a change of a ref is refused: the ref, and the rule by its name. */
export const refusalText = ({ reason, ref, rule = "", subject = "" }: RefRefused): string =>
  `${ref}: ${texts[reason](rule, subject)}`
