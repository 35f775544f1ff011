import { issues } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createCounters } from "../../../owned/createTable.ts"

const counters = {
  issuesOpen: { of: "milestoneId", where: { pull: false, state: "open" } },
  issuesClosed: { of: "milestoneId", where: { pull: false, state: "closed" } },
  pullsOpen: { of: "milestoneId", where: { pull: true, state: "open" } },
  pullsClosed: { of: "milestoneId", where: { pull: true, state: "closed" } }
}

/**
 * Adds separate counts of issues and pull requests to milestones, because a viewer may have access to only one of them.
 */
export const milestoneCounts: Migration = {
  name: "0068_milestone_counts",
  up: [
    `DROP TRIGGER issue_milestone_id_count_changed ON issue`,
    `DROP FUNCTION issue_milestone_id_count_changed()`,
    `DROP TABLE issue_milestone_id_count`,
    ...createCounters({ ...issues, counters }),
    `INSERT INTO issue_milestone_id_count (milestone_id, issues_open, issues_closed, pulls_open, pulls_closed)
    SELECT milestone_id,
      count(*) FILTER (WHERE NOT pull AND state = 'open'), count(*) FILTER (WHERE NOT pull AND state = 'closed'),
      count(*) FILTER (WHERE pull AND state = 'open'), count(*) FILTER (WHERE pull AND state = 'closed')
    FROM issue WHERE milestone_id IS NOT NULL GROUP BY milestone_id`
  ]
}
