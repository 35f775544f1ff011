import type { CodeQueryInvalid, ContentChanged, ContentNotFound } from "@slipway/domain/forge/code"
import type { RepositoryEmpty, RevisionNotFound } from "@slipway/forge/code"
import { conflict, invalid, missing } from "../errorParts.ts"

/** Converts the domain errors of repository contents (revisions, files, code search) to HTTP error bodies. */
export const contentErrors = {
  RevisionNotFound: (_: RevisionNotFound) => missing,
  RepositoryEmpty: (_: RepositoryEmpty) => conflict("the repository is empty"),
  ContentNotFound: (_: ContentNotFound) => missing,
  ContentChanged: ({ path, present }: ContentChanged) => conflict(`\`${path}\` was renamed to \`${present}\``),
  CodeQueryInvalid: (_: CodeQueryInvalid) =>
    invalid("q", "must contain a word of at least 2 letters, digits or underscores")
} as const
