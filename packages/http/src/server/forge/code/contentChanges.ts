import { identTime, notSigned, pathIn } from "@slipway/domain/forge/code"
import { type CommitOptions, ContentChanges, RevisionNotFound } from "@slipway/forge/code"
import { Effect } from "effect"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import { type CommitFields, contentChangeEndpoints } from "../../../api/forge/code/contentChanges.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { readInstant } from "../base/queries.ts"
import { handle } from "../entry/handle.ts"
import { showIdent, showMeta, showVerification } from "./commits.ts"
import { showContent } from "./contents.ts"
import { apiParts, linksOf, restOfPath } from "./repositoryLinks.ts"

type CommitInput = BodyOf<typeof CommitFields>

const isGivenText = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text !== ""

const identityIn = (identity: CommitInput["author"]) => ({
  name: identity?.name ?? undefined,
  email: identity?.email ?? undefined
})

const optionsIn = ({
  author,
  branch,
  committer,
  dates,
  force_push,
  message,
  new_branch,
  signoff
}: CommitInput): CommitOptions => ({
  branch,
  newBranch: new_branch,
  forcePush: force_push,
  message,
  author: identityIn(author),
  committer: identityIn(committer),
  authoredAt: readInstant(dates?.author),
  committedAt: readInstant(dates?.committer),
  signOff: signoff
})

type Proof = Parameters<typeof ContentChanges.change>[0]

const show = Effect.fnUntraced(function* (proof: Proof, { at, contents, details }: ContentChanges.Changed) {
  const links = linksOf(yield* PublicUrl, proof.resource.repository)
  const [commitDetails] = details.commits
  if (commitDetails === undefined) return yield* new RevisionNotFound({ name: at.commit })
  const { commit, verification = notSigned } = commitDetails
  const showEach = showContent(links, at)
  return {
    files: contents.map((content) => (content === undefined ? null : showEach(content))),
    commit: {
      url: `${links.api}/git/commits/${commit.id}`,
      sha: commit.id,
      created: identTime(commit.committer),
      html_url: `${links.html}/commit/${commit.id}`,
      author: showIdent(commit.author),
      committer: showIdent(commit.committer),
      parents: commit.parents.map((parent) => showMeta(links, "commits", parent)),
      message: commit.message,
      tree: showMeta(links, "trees", commit.tree)
    },
    verification: showVerification(verification)
  }
})

const changed = Effect.fnUntraced(function* (
  proof: Proof,
  edits: ReadonlyArray<ContentChanges.FileEdit>,
  said: CommitInput
) {
  return yield* show(proof, yield* ContentChanges.change(proof, edits, optionsIn(said)))
})

const changedOne = Effect.fnUntraced(function* (proof: Proof, edit: ContentChanges.FileEdit, said: CommitInput) {
  const { files, ...others } = yield* changed(proof, [edit], said)
  return { ...others, content: files[0] ?? null }
})

/** The handlers that change files. */
export const layerContentChanges = handle(contentChangeEndpoints, {
  "repository.contents.change": ({ body, proof }) =>
    changed(
      proof,
      body.files.map(({ content, from_path, operation, path, sha }) => ({
        operation,
        path: pathIn(path),
        from: isGivenText(from_path) ? pathIn(from_path) : undefined,
        bytes: content ?? undefined,
        id: isGivenText(sha) ? sha : undefined
      })),
      body
    ),
  "repository.contents.create": ({ body, proof, request }) => {
    const path = pathIn(restOfPath(request, apiParts))
    return changedOne(proof, { operation: "create", path, bytes: body.content }, body)
  },
  "repository.contents.edit": ({ body, proof, request }) => {
    const path = pathIn(restOfPath(request, apiParts))
    const from = body.from_path === undefined ? undefined : pathIn(body.from_path)
    const operation = body.sha === undefined && from === undefined ? "create" : "update"
    return changedOne(proof, { operation, path, from, bytes: body.content, id: body.sha }, body)
  },
  "repository.contents.delete": ({ body, proof, request }) => {
    const path = pathIn(restOfPath(request, apiParts))
    return changedOne(proof, { operation: "delete", path, id: body.sha }, body)
  },
  "repository.patch.apply": Effect.fnUntraced(function* ({ body, proof }) {
    const patch = new TextEncoder().encode(body.content)
    return yield* show(proof, yield* ContentChanges.applyPatch(proof, patch, optionsIn(body)))
  })
})
