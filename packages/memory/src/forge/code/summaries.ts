import type { RepositoryId } from "@slipway/domain/forge/base"
import { mostTopics, type RepositoryProfile, type RepositorySummary } from "@slipway/domain/forge/code"
import { type Mirror, originName } from "@slipway/domain/forge/integrations"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import { ownedRowBy } from "../../ownedStore.ts"
import type { RepositoryRow, Tables } from "../base/tables.ts"

/** Reads the summary of a repository: its counters and its relations, such as the parent of a fork. */
export const summaryIn = (
  { organization, owned }: Tables["Service"],
  snapshot: Snapshot,
  { id: repositoryId, owner }: Pick<RepositoryRow, "id" | "owner">
) => {
  const counted = (kind: string, counter: string) =>
    owned.get(kind)?.counters.get(counter)?.count(snapshot, String(repositoryId)) ?? 0
  // BOUNDARY: the rows of a table are those of its declaration.
  const rowBy = <Row>(kind: string, values: Partial<Row>): Row | undefined => {
    const table = owned.get(kind)
    return table && (ownedRowBy(snapshot, table, values) as Row | undefined)
  }
  const profile = rowBy<RepositoryProfile>("repositoryProfile", { repositoryId })
  const origin = rowBy<Mirror>("mirror", { repositoryId, name: originName })
  const topics = owned.get("repositoryTopic")?.scopes.get("repositoryId")?.list(snapshot, String(repositoryId)) ?? []
  return {
    organization: owner.kind === "organization" ? organization.get(snapshot, owner.id) : undefined,
    openIssues: counted("issue", "openIssues"),
    openPulls: counted("issue", "openPulls"),
    stars: counted("star", "stars"),
    watchers: counted("watch", "watchers"),
    forks: counted("fork", "forks"),
    releases: counted("release", "releases"),
    parentId:
      rowBy<{ repositoryId: RepositoryId; parentId: RepositoryId | null }>("fork", { repositoryId })?.parentId ?? null,
    follows:
      origin?.direction === "pull"
        ? { url: origin.url, interval: origin.interval, oneTime: origin.oneTime, syncedAt: origin.syncedAt }
        : undefined,
    offered: rowBy<{ repositoryId: RepositoryId }>("transfer", { repositoryId }) !== undefined,
    topics: topics
      .map(({ name }) => String(name))
      .toSorted(byCodePoints)
      .slice(0, mostTopics),
    avatar: profile?.avatar ?? null,
    language: profile?.language ?? "",
    licenses: profile?.licenses ?? []
  } satisfies RepositorySummary
}
