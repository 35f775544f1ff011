import type { OwnedData } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  ActivityStore,
  type Issue,
  issues,
  type PullRequest,
  pulls,
  type Release,
  releases
} from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import { Tables } from "../base/tables.ts"

/** Counts the activity in repositories (such as merged pull requests and new issues) from memory. */
export const activityStore = Layer.effect(
  ActivityStore,
  Effect.map(Tables, (tables) => ({
    countsOf: (repository: RepositoryId, since) =>
      tables.database.read((snapshot) => {
        // BOUNDARY: a declaration says of its table what its rows are.
        const within = <Row>({ name }: OwnedData) =>
          (tables.owned.get(name)?.scopes.get("repositoryId")?.list(snapshot, String(repository)) ??
            []) as unknown as ReadonlyArray<Row>
        const isRecent = (at: string | null) => at !== null && at >= since
        const merged = new Map(within<PullRequest>(pulls).map(({ issueId, mergedAt }) => [issueId, mergedAt]))
        const all = within<Issue>(issues)
        const count = (pull: boolean, holds: (issue: Issue) => boolean) =>
          all.filter((issue) => issue.pull === pull && holds(issue)).length
        const isMerged = ({ id }: Issue) => (merged.get(id) ?? null) !== null
        return {
          issuesOpened: count(false, ({ createdAt }) => isRecent(createdAt)),
          issuesClosed: count(false, ({ closedAt }) => isRecent(closedAt)),
          pullsOpened: count(true, ({ createdAt }) => isRecent(createdAt)),
          pullsMerged: count(true, ({ id }) => isRecent(merged.get(id) ?? null)),
          pullsClosed: count(true, (issue) => isRecent(issue.closedAt) && !isMerged(issue)),
          releases: within<Release>(releases).filter(({ publishedAt }) => isRecent(publishedAt)).length
        }
      })
  }))
)
