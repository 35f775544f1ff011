import type { Activity } from "@slipway/client/forge"
import { encodedPath, repositoryPath } from "../../layout/urls.ts"
import type { Texts } from "../../texts/Texts.ts"

/** A commit that an activity of a push lists. */
export interface PushedCommit {
  readonly sha: string
  readonly subject: string
}

/** The text and links of an activity, for pages and feeds. */
export interface ActivityEntry {
  readonly verb: string
  /** The label of the changed resource, such as `acme/site#3`. */
  readonly label: string
  readonly path: string
  /** A title, or the beginning of a text; empty if there is none. */
  readonly detail: string
  readonly commits: ReadonlyArray<PushedCommit>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Reads the commits of a push from the JSON content of its activity. */
const commitsIn = (content: string): ReadonlyArray<PushedCommit> => {
  if (!content.startsWith("{")) return []
  // BOUNDARY: the API declares the content as text.
  const { Commits: commits } = JSON.parse(content) as { readonly Commits?: unknown }
  return (Array.isArray(commits) ? commits : []).flatMap((each: unknown) =>
    isRecord(each) && typeof each.Sha1 === "string" && typeof each.Message === "string"
      ? [{ sha: each.Sha1, subject: each.Message }]
      : []
  )
}

/** Returns the text and links of an activity. */
export const activityEntry = ({ activity: { verbs } }: Texts, activity: Activity): ActivityEntry => {
  const { comment_id: commentId, content, op_type: does, ref_name: ref, repo } = activity
  const base = repositoryPath({ owner: repo.owner.login, name: repo.name })
  const about = { verb: verbs[does], label: repo.full_name, path: base, detail: "", commits: [] }
  const short = ref.replace(/^refs\/(?:heads|tags)\//, "")
  switch (does) {
    case "create_repo":
    case "rename_repo":
    case "edit_repo":
      return about
    case "commit_repo":
      return {
        ...about,
        label: `${repo.full_name}: ${short}`,
        path: `${base}/src/branch/${encodedPath(short)}`,
        commits: commitsIn(content)
      }
    case "push_tag":
      return { ...about, label: `${repo.full_name}: ${short}`, path: `${base}/src/tag/${encodedPath(short)}` }
    case "delete_branch":
    case "delete_tag":
      return { ...about, detail: short }
    case "publish_release":
      return {
        ...about,
        label: `${repo.full_name}: ${short}`,
        path: `${base}/releases/tag/${encodedPath(short)}`,
        detail: content
      }
    default: {
      const [index = "", ...rest] = content.split("|")
      const page = does.includes("pull") ? "pulls" : "issues"
      return {
        ...about,
        label: `${repo.full_name}#${index}`,
        path: `${base}/${page}/${index}${commentId === 0 ? "" : `#issuecomment-${commentId}`}`,
        detail: rest.join("|")
      }
    }
  }
}
