import { compile } from "@slipway/access"
import { reachedRepositories, repositoryRowFacts } from "@slipway/domain/forge/code"
import { canList, type UserId, type Viewer } from "@slipway/domain/forge/identity"
import type { Snapshot } from "../../Database.ts"
import { rowsOfTable } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import type { Tables } from "../base/tables.ts"

const isReached = compile(reachedRepositories)

/** Returns whether a user shares an organization or a repository with the actor. */
export const hasSharedMembership = (
  tables: Tables["Service"],
  snapshot: Snapshot,
  { userId }: Pick<Viewer, "userId">
) => {
  const { withGrants } = queriesIn(tables, snapshot)
  const organizationsOf = (user: UserId) =>
    tables.teamsOfUser.list(snapshot, String(user)).map(({ organizationId }) => organizationId)
  return (user: UserId): boolean => {
    if (userId === undefined) return false
    const own = organizationsOf(userId)
    if (organizationsOf(user).some((each) => own.includes(each))) return true
    const reaches = (row: Parameters<typeof withGrants>[0], who: UserId) =>
      isReached(repositoryRowFacts({ userId: who }, withGrants(row, who)))
    for (const row of rowsOfTable(tables.repository, snapshot))
      if (reaches(row, userId) && reaches(row, user)) return true
    return false
  }
}

/**
 * Returns a function that tests whether lists show a user to a viewer. A restricted viewer sees only users who share an
 * organization or repository with the viewer.
 */
export const listedTo = (tables: Tables["Service"], snapshot: Snapshot, viewer: Viewer) =>
  canList(viewer, hasSharedMembership(tables, snapshot, viewer))
