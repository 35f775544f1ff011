import { Context } from "effect"

/**
 * Matches paths of a repository by globs.
 *
 * Must:
 * - match `*` and `?` within a name, and `**` across folders
 * - match one of several texts in braces, and one of several characters in brackets
 * - match names that begin with a dot as all others
 * - match no other path
 * - take parentheses, plus signs and exclamation marks as themselves
 * - give no matcher for what is no glob
 */
export class PathMatcher extends Context.Service<
  PathMatcher,
  { readonly compile: (glob: string) => ((path: string) => boolean) | undefined }
>()("@slipway/domain/deploy/PathMatcher") {}
