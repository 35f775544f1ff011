import { area, asking } from "../Action.ts"

const team = area({
  on: "team",
  base: "/teams/{id}",
  scope: ["organization"],
  guards: ["sign-in"],
  asks: ["team-visible"],
  signInFirst: true
})
const teamRepository = area({
  on: "teamRepository",
  base: "/teams/{id}/repos/{org}/{repo}",
  scope: ["organization"],
  guards: ["sign-in"],
  asks: ["team-visible", "repo-visible"],
  signInFirst: true
})

/** Teams: each action with its route and the guards of its row. */
export const teamActions = {
  "team.read": team("GET", "Read a team", "TR"),
  "team.edit": team("PATCH", "Change a team", "OO"),
  "team.delete": asking(team("DELETE", "Delete a team; its repositories stay", "OO"), "not-owners-team"),
  "team.member.list": team("GET /members", "List the members of a team", "TR", "OM"),
  "team.member.read": team("GET /members/{username}", "Read a member of a team", "TR", "OM"),
  "team.member.add": asking(team("PUT /members/{username}", "Add a member to a team", "OO"), "member-not-blocked"),
  "team.member.remove": team("DELETE /members/{username}", "Remove a member from a team", "OO"),
  "team.repository.list": team("GET /repos", "List the repositories of a team that the caller can access", "TR"),
  "team.repository.read": teamRepository("GET", "Read a repository of a team", "TR"),
  "team.repository.add": teamRepository(
    "PUT",
    "Add a repository of its organization to a team",
    "TM",
    "target-repo-admin"
  ),
  "team.repository.remove": teamRepository(
    "DELETE",
    "Remove a repository from a team; the repository stays",
    "TM",
    "target-repo-admin"
  ),
  "team.feed.list": team("GET /activities/feeds", "List activities in the repositories of a team", "TR")
} as const
