import { assert } from "@effect/vitest"
import { MemberStore, type TeamName } from "@slipway/domain/forge/identity"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { parseWorld } from "../../parse.ts"
import { plantOrganizations, teamAt } from "../../plant.ts"
import { basic, mayAbout, present, type Sent, user } from "../support.ts"

/** A test world with two organizations, which have teams of each visibility. */
export const world = parseWorld(`
  user ann admin
  user olga                # owns acme
  user omar                # owns acme too
  user bob                 # builds
  user cy                  # is in the club
  user eve                 # belongs to nothing
  user rex restricted
  user pia private
  organization acme public
  organization hush private
  repository acme/site
  repository acme/vault private
  repository hush/plot
  repository eve/own
  team acme/Owners: olga, omar
  team acme/builders code=write issues=read on site: bob
  team acme/keepers admin on site: bob, pia
  team acme/club public code=read on site: cy
  team acme/readers limited code=read on *: cy
  team hush/Owners: olga
  team hush/open public code=read on *: cy
`)

/** Stores the test world. */
export const fixture = Effect.gen(function* () {
  for (const { admin, name, restricted, visibility } of world.users.values()) {
    yield* user(name, { admin, restricted, visibility })
  }
  yield* plantOrganizations(world)
})

/** The organization that most tests use, as the target of a request. */
export const acme = { kind: "organization", organization: "acme" } as const
/** Returns a team as the target of a request. */
export const onTeam = (path: string) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id }) as const)
/** Returns a team and a repository as the target of a request. */
export const onRepository = (path: string, owner: string, repository: string) =>
  Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, owner, repository }) as const)

/** Creates a team. */
export const createTeam = (
  input: Omit<Teams.NewTeamInput, "name"> & { readonly name: string },
  sent: Sent = basic("olga")
) =>
  Effect.flatMap(mayAbout("organization.team.create", acme, sent), (proof) =>
    Teams.create(proof, { ...input, name: input.name as TeamName })
  )
/** Edits a team. */
export const editTeam = (path: string, input: Teams.TeamEdit, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.edit(yield* mayAbout("team.edit", yield* onTeam(path), sent), input)
  })
/** Deletes a team. */
export const removeTeam = (path: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.remove(yield* mayAbout("team.delete", yield* onTeam(path), sent))
  })
/** Adds a member to a team. */
export const addTeamMember = (path: string, name: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.addMember(yield* mayAbout("team.member.add", yield* onTeam(path), sent), name)
  })
/** Removes a member from a team. */
export const memberRemoved = (path: string, name: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.removeMember(yield* mayAbout("team.member.remove", yield* onTeam(path), sent), name)
  })

/** Finds the id of a user. */
export const idOf = (name: string) =>
  Effect.map(present(name), (found) => {
    assert.isDefined(found)
    return found.id
  })
/** Reads the membership of a user in the organization acme. */
export const membership = (name: string) =>
  Effect.gen(function* () {
    const { organizationId } = yield* teamAt("acme/Owners")
    return yield* (yield* MemberStore).find(organizationId, yield* idOf(name))
  })

/** The paths of all teams, such as `acme/builders`. */
export const everyTeam = world.teams.map(({ name, organization }) => `${organization}/${name}`)
