import { joinProblems, type Problems } from "../../../Problems.ts"
import { type CallerAccess, everything } from "../../identity/grants/Access.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { Placement } from "./Placement.ts"
import type { PlacementFacts, PlacementQuery } from "./PlacementStore.ts"

/** The valid part of a requested placement, and all problems with the resources that the request names. */
export interface Resolved {
  readonly placement: Placement | undefined
  readonly problems: Problems
}

/** The problem of a request that names no environment (spec "Rules", 1). */
export const noEnvironment: Problems = {
  environment_name: ["Either environment_name or environment_uuid is required."],
  environment_uuid: ["Either environment_name or environment_uuid is required."]
}

const environmentOf = (query: PlacementQuery, facts: PlacementFacts) => {
  const problems: Array<Problems> = []
  const { environmentByName: byName, environmentByUuid: byUuid, project } = facts
  if (query.environmentUuid !== undefined) {
    if (byUuid === null) problems.push({ environment_uuid: ["There is no such environment."] })
    else if (project !== null && byUuid.projectUuid !== project.uuid) {
      problems.push({ environment_uuid: ["This environment belongs to another project."] })
    }
  }
  if (query.environmentName !== undefined && project !== null) {
    if (byName === null) problems.push({ environment_name: ["The project has no environment of this name."] })
    else if (byUuid !== null && byUuid.projectUuid === project.uuid && byUuid.uuid !== byName.uuid) {
      const both = ["The fields environment_name and environment_uuid name different environments."]
      problems.push({ environment_name: both, environment_uuid: both })
    }
  }
  return { environment: byUuid ?? byName, problems: joinProblems(...problems) }
}

const destinationOf = (query: PlacementQuery, facts: PlacementFacts) => {
  const { destination, destinations, server } = facts
  const wrong = (sentence: string) => ({ destination: null, problems: { destination_uuid: [sentence] } })
  if (query.destinationUuid !== undefined) {
    if (destination === null) return wrong("There is no such destination.")
    if (server !== null && destination.serverUuid !== server.uuid) {
      return wrong("This destination belongs to another server.")
    }
    return { destination, problems: {} }
  }
  if (server === null) return { destination: null, problems: {} }
  const [only, ...others] = destinations
  if (only === undefined) return wrong("The server has no destination yet.")
  if (others.length > 0) {
    const choices = destinations.map((each) => `${each.uuid} (${each.name})`).join(", ")
    return wrong(`The server has several destinations; choose one of: ${choices}.`)
  }
  return { destination: only, problems: {} }
}

/**
 * Removes from the found resources those that belong to other teams than the caller's, and those that belong to another
 * team than the project.
 */
export const knownFacts = (access: CallerAccess, facts: PlacementFacts): PlacementFacts => {
  const isKnown = (found: { readonly teamId: TeamId } | null): boolean =>
    found !== null && (access === everything || access.teams.includes(found.teamId))
  const project = isKnown(facts.project) ? facts.project : null
  const known = <Found extends { readonly teamId: TeamId }>(found: Found | null): Found | null =>
    isKnown(found) && (project === null || found?.teamId === project.teamId) ? found : null
  const server = known(facts.server)
  return {
    project,
    environmentByName: project === null ? null : facts.environmentByName,
    environmentByUuid: known(facts.environmentByUuid),
    server,
    destinations: server === null ? [] : facts.destinations,
    destination: known(facts.destination),
    privateKey: known(facts.privateKey),
    forgeApp: known(facts.forgeApp)
  }
}

/** Validates the placement of a request: all named resources must exist and belong together (decision "Errors"). */
export const resolve = (query: PlacementQuery, facts: PlacementFacts): Resolved => {
  const missing: Array<Problems> = []
  const named = (uuid: string | undefined, found: unknown, field: string, what: string) => {
    if (uuid !== undefined && found === null) missing.push({ [field]: [`There is no such ${what}.`] })
  }
  named(query.projectUuid, facts.project, "project_uuid", "project")
  named(query.serverUuid, facts.server, "server_uuid", "server")
  named(query.privateKeyUuid, facts.privateKey, "private_key_uuid", "private key")
  named(query.forgeAppUuid, facts.forgeApp, "forge_app_uuid", "git-hosting app installation")
  const { environment, problems: environmentProblems } = environmentOf(query, facts)
  const { destination, problems: destinationProblems } = destinationOf(query, facts)
  const problems = joinProblems(...missing, environmentProblems, destinationProblems)
  const { project, server } = facts
  return {
    problems,
    placement:
      project === null || environment === null || server === null || destination === null
        ? undefined
        : {
            projectUuid: project.uuid,
            environmentUuid: environment.uuid,
            environmentName: environment.name,
            teamId: project.teamId,
            isProtected: environment.isProtected,
            serverUuid: server.uuid,
            destinationUuid: destination.uuid
          }
  }
}
