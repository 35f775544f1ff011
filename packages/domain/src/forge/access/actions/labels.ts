import { area } from "../Action.ts"

const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["issue"],
  guards: ["repo-visible", "issues-or-PRs-readable"]
})

/** Labels and milestones: each action with its route and the guards of its row. */
export const labelActions = {
  "label.list": repository("GET /labels"),
  "label.create": repository("POST /labels", "sign-in", "W:issues|pulls"),
  "label.read": repository("GET /labels/{id}"),
  "label.edit": repository("PATCH /labels/{id}", "sign-in", "W:issues|pulls"),
  "label.delete": repository("DELETE /labels/{id}", "sign-in", "W:issues|pulls"),
  "milestone.list": repository("GET /milestones"),
  "milestone.create": repository("POST /milestones", "sign-in", "W:issues|pulls"),
  "milestone.read": repository("GET /milestones/{id}"),
  "milestone.edit": repository("PATCH /milestones/{id}", "sign-in", "W:issues|pulls"),
  "milestone.delete": repository("DELETE /milestones/{id}", "sign-in", "W:issues|pulls")
} as const
