import { Schema } from "effect"
import type { Unit } from "../../access/facts/Unit.ts"
import type { Switches } from "./switches.ts"

/** The merge styles of pull requests, each with the repository preference that allows it. */
export const mergeStyles = {
  merge: "allow_merge_commits",
  rebase: "allow_rebase",
  "rebase-merge": "allow_rebase_explicit",
  squash: "allow_squash_merge",
  "fast-forward-only": "allow_fast_forward_only_merge",
  "manually-merged": "allow_manual_merge"
} as const

/** The name of a merge style of pull requests, such as `squash`. */
export type MergeStyle = keyof typeof mergeStyles

/** The schema of a repository's issue tracker settings. */
export const InternalTracker = Schema.Struct({
  enable_time_tracker: Schema.Boolean,
  allow_only_contributors_to_track_time: Schema.Boolean,
  enable_issue_dependencies: Schema.Boolean
})

const webAddress = (holes: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.makeFilter((address: string) => {
      const plain = holes.reduce((text, hole) => text.replaceAll(`{${hole}}`, "1"), address)
      if (address.length > 1_024) return "must have at most 1024 characters"
      return URL.canParse(plain) && /^https?:\/\/[^\s\0]+$/i.test(plain) ? undefined : "must be a web address"
    })
  )

const readable = (pattern: string): boolean => {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

/** The schema of an external issue tracker of a repository. */
export const ExternalTracker = Schema.Struct({
  external_tracker_url: webAddress([]),
  /** The URL template of an issue, with the placeholders `{user}`, `{repo}` and `{index}`. */
  external_tracker_format: Schema.Union([Schema.Literal(""), webAddress(["user", "repo", "index"])]),
  external_tracker_style: Schema.Literals(["numeric", "alphanumeric", "regexp"]),
  external_tracker_regexp_pattern: Schema.String.check(
    Schema.makeFilter((pattern: string) =>
      pattern.length <= 255 && readable(pattern) ? undefined : "must be a regular expression"
    )
  )
})

/** The schema of an external wiki of a repository. */
export const ExternalWiki = Schema.Struct({ external_wiki_url: webAddress([]) })

/**
 * The schema of the preferences of a repository, such as allowed merge styles.
 *
 * Requests, responses and stores all use the field names of the API specification, so that names are not translated.
 */
export const Preferences = Schema.Struct({
  allow_merge_commits: Schema.Boolean,
  allow_rebase: Schema.Boolean,
  allow_rebase_explicit: Schema.Boolean,
  allow_rebase_update: Schema.Boolean,
  allow_squash_merge: Schema.Boolean,
  allow_fast_forward_only_merge: Schema.Boolean,
  allow_manual_merge: Schema.Boolean,
  autodetect_manual_merge: Schema.Boolean,
  default_merge_style: Schema.Literals(["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"]),
  default_delete_branch_after_merge: Schema.Boolean,
  default_allow_maintainer_edit: Schema.Boolean,
  ignore_whitespace_conflicts: Schema.Boolean,
  projects_mode: Schema.Literals(["repo", "owner", "all"]),
  internal_tracker: InternalTracker,
  external_tracker: Schema.NullOr(ExternalTracker),
  external_wiki: Schema.NullOr(ExternalWiki)
})
export type Preferences = typeof Preferences.Type

/** The default preferences of a new repository. */
export const usualPreferences: Preferences = {
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_rebase_update: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_merge_style: "merge",
  default_delete_branch_after_merge: false,
  default_allow_maintainer_edit: false,
  ignore_whitespace_conflicts: false,
  projects_mode: "all",
  internal_tracker: {
    enable_time_tracker: true,
    allow_only_contributors_to_track_time: true,
    enable_issue_dependencies: true
  },
  external_tracker: null,
  external_wiki: null
}

/** Returns whether a repository allows a merge style for pull requests. */
export const allowsMerge = (preferences: Preferences, style: MergeStyle): boolean => preferences[mergeStyles[style]]

/** The changes of a repository's preferences; omitted fields stay unchanged. */
export interface PreferencesChange extends Partial<Omit<Preferences, "internal_tracker">> {
  readonly internal_tracker?: Partial<Preferences["internal_tracker"]> | undefined
}

/** Applies changes to the preferences of a repository. */
export const changedPreferences = (before: Preferences, change: PreferencesChange): Preferences => ({
  ...before,
  ...change,
  internal_tracker: { ...before.internal_tracker, ...change.internal_tracker }
})

const trackerUnits = (
  internal: Unit,
  external: Unit,
  before: Switches,
  on: boolean | undefined,
  elsewhere: boolean
) => {
  if (on === undefined && !elsewhere) return {}
  const wanted = on ?? (before[internal] || before[external])
  return { [internal]: wanted && !elsewhere, [external]: wanted && elsewhere }
}

/**
 * Applies changes to the unit switches of a repository, which say which units (such as issues and wiki) are enabled.
 *
 * The issue tracker and the wiki are internal or external: setting an external one disables the internal one, and
 * enabling the internal one disables the external one.
 */
export const changedSwitches = (
  before: Switches,
  change: { readonly [U in Unit]?: boolean },
  { external_tracker, external_wiki }: PreferencesChange
): Switches => ({
  ...before,
  ...change,
  ...trackerUnits("repo.issues", "repo.ext_issues", before, change["repo.issues"], (external_tracker ?? null) !== null),
  ...trackerUnits("repo.wiki", "repo.ext_wiki", before, change["repo.wiki"], (external_wiki ?? null) !== null)
})
