import { area } from "../Action.ts"

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
  "team.read": team("GET", "TR"),
  "team.edit": team("PATCH", "OO"),
  "team.delete": team("DELETE", "OO"),
  "team.member.list": team("GET /members", "TR", "OM"),
  "team.member.read": team("GET /members/{username}", "TR", "OM"),
  "team.member.add": team("PUT /members/{username}", "OO"),
  "team.member.remove": team("DELETE /members/{username}", "OO"),
  "team.repository.list": team("GET /repos", "TR"),
  "team.repository.read": teamRepository("GET", "TR"),
  "team.repository.add": teamRepository("PUT", "TM", "target-repo-admin"),
  "team.repository.remove": teamRepository("DELETE", "TM", "target-repo-admin"),
  "team.feed.list": team("GET /activities/feeds", "TR")
} as const
