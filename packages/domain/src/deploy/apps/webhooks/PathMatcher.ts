import { Context } from "effect"

/**
 * Matches file paths of a repository against glob patterns.
 *
 * Must:
 * - match `*` and `?` within a name, and `**` across folders
 * - match one of several alternatives in braces, and one of several characters in brackets
 * - match names with a leading dot like all others
 * - match no path with another case, folder, extension or character
 * - match parentheses, plus signs and exclamation marks literally
 * - return no matcher for an invalid glob
 */
export class PathMatcher extends Context.Service<
  PathMatcher,
  { readonly compile: (glob: string) => ((path: string) => boolean) | undefined }
>()("@slipway/domain/deploy/PathMatcher") {}
