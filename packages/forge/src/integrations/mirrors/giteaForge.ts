import { OtherForge as Other } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { type OtherForge, readAll } from "./forgeApi.ts"

const numberIn = ({ issue_url, pull_request_url }: Other.OtherComment): number =>
  Number(/\/(\d+)$/.exec(issue_url || pull_request_url || "")?.[1] ?? 0)

const numbered = (comment: Other.OtherComment): Other.NumberedComment => ({ comment, number: numberIn(comment) })

/** Reads the review comments of a pull request: GitHub lists all of them, Gitea only those of one review. */
const readLineComments = Effect.fnUntraced(function* (
  forge: OtherForge,
  number: number,
  reviews: ReadonlyArray<Other.OtherReview>
) {
  if (forge.service === "github") {
    const all = yield* readAll(Other.OtherLineComment)(forge, `pulls/${number}/comments`)
    return all.map((remark) => ({ remark, reviewId: remark.pull_request_review_id ?? 0 }))
  }
  const said = yield* Effect.forEach(
    reviews.filter(({ comments_count }) => comments_count !== 0),
    ({ id }) =>
      Effect.map(readAll(Other.OtherLineComment, true)(forge, `pulls/${number}/reviews/${id}/comments`), (all) =>
        all.map((remark) => ({ remark, reviewId: id }))
      )
  )
  return said.flat()
})

/** Returns a reader of a repository at another host, with the API that Gitea and GitHub have in common. */
export const giteaReader = (forge: OtherForge): Other.ForgeReader => ({
  labels: readAll(Other.OtherLabel)(forge, "labels"),
  milestones: readAll(Other.OtherMilestone)(forge, "milestones?state=all"),
  releases: readAll(Other.OtherRelease)(forge, "releases"),
  issues: readAll(Other.OtherIssue)(forge, "issues?state=all"),
  pulls: readAll(Other.OtherPull)(forge, "pulls?state=all"),
  comments: () =>
    Effect.map(readAll(Other.OtherComment)(forge, "issues/comments"), (comments) => comments.map(numbered)),
  reviews: Effect.fnUntraced(function* (number: number) {
    const reviews = yield* readAll(Other.OtherReview)(forge, `pulls/${number}/reviews`)
    return { reviews, remarks: yield* readLineComments(forge, number, reviews) }
  }),
  placeOf: ({ browser_download_url, url }) => {
    const place = forge.service === "github" ? url : browser_download_url
    if (!place || !URL.canParse(place)) return undefined
    return { url: place, names: [place, new URL(place).pathname] }
  }
})
