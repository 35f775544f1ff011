import { assert } from "@effect/vitest"
import { levelWord } from "@slipway/access"
import { unitKeys } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { RepositoryStore, repositoryFacts } from "@slipway/domain/forge/code"
import { asViewer, type Levels, levelsOf } from "@slipway/domain/forge/explanation"
import { MemberStore, OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, anonymousViewer, viewing } from "../../builders.ts"
import { parseWorld } from "../../parse.ts"
import { plantOrganizations } from "../../plant.ts"
import { present, user } from "../support.ts"

/** A test world with organizations of each visibility, and with users who have access in every possible way. */
export const world = parseWorld(`
  user ann admin
  user olga                # owns all
  user omar                # owns acme and hush too
  user bob                 # builds
  user cy                  # reads
  user cleo                # collaborates
  user rex restricted
  user pia private
  user eve
  organization acme public
  organization inner limited
  organization hush private
  repository acme/site
  repository acme/vault private
  repository acme/shed private off=wiki,code
  repository inner/plan
  repository hush/plot
  repository hush/well private
  repository eve/own
  repository eve/diary private
  team acme/Owners: olga, omar
  team acme/builders code=write issues=read on site vault: bob, pia
  team acme/keepers admin on vault: cy, rex
  team acme/readers code=read wiki=write on *: cy
  team inner/Owners: olga
  team inner/crew code=write on plan: rex
  team hush/Owners: olga, omar
  team hush/crew code=write on well: bob, rex
  team hush/rest issues=read: cy
  collaborator cleo write acme/site
  collaborator cleo read acme/shed
  collaborator cleo admin hush/well
  collaborator rex read eve/diary
`)

/** Stores the test world. */
export const fixture = Effect.gen(function* () {
  for (const { admin, name, restricted, visibility } of world.users.values()) {
    yield* user(name, { admin, restricted, visibility })
  }
  yield* plantOrganizations(world)
})

/** The names of all users. */
export const users = [...world.users.keys()]
/** The paths of all repositories. */
export const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)

/** Finds a user; fails the test if the user does not exist. */
export const found = (name: string) =>
  Effect.map(present(name), (each) => {
    assert.isDefined(each)
    return each
  })

/** Formats the access levels of a user in one line. */
export const formatLevels = ({ permission, units }: Levels) =>
  [
    levelWord(permission),
    ...unitKeys.flatMap((unit) => (units[unit] === undefined ? [] : `${unit.slice(5)}=${levelWord(units[unit])}`))
  ].join(" ")

/** Determines the access levels of all users on all repositories, from the results of their requests. */
export const everyLevel = Effect.gen(function* () {
  const { switches } = yield* SiteSettings
  const store = yield* RepositoryStore
  const levels = new Map<string, Levels>()
  const people = yield* Effect.forEach(users, (name) =>
    Effect.map(found(name), (each) => [name, asViewer(each)] as const)
  )
  const anybody = { ...viewing({ ...(yield* found("eve")), secondFactor: true }), userId: undefined }
  for (const [name, viewer] of [...people, ["anonymous", anonymousViewer] as const, ["signed-in", anybody] as const]) {
    const { rows } = yield* store.list({ ...viewer, switches }, {}, all)
    for (const path of repositories) {
      const held = rows.find(({ repository }) => `${repository.owner.name}/${repository.name}` === path)
      levels.set(`${name} ${path}`, levelsOf(repositoryFacts(viewer, switches, held)))
    }
  }
  return levels
})

/** Reads all stored organizations, teams, members and repositories. */
export const everyResource = Effect.gen(function* () {
  const admin = viewing(yield* found("ann"))
  const { switches } = yield* SiteSettings
  const organizations = (yield* (yield* OrganizationStore).directory(admin, all)).rows
  const things: Array<unknown> = [organizations, yield* (yield* UserStore).search(admin, {}, all)]
  for (const { id } of organizations) {
    const { rows } = yield* (yield* TeamStore).list(admin, id, {}, all)
    things.push(rows)
    for (const team of rows) things.push(yield* (yield* TeamStore).members(admin, team.id, all))
    for (const name of users) things.push(yield* (yield* MemberStore).find(id, (yield* found(name)).id))
  }
  things.push(yield* (yield* RepositoryStore).list({ ...admin, switches }, {}, all))
  return [things, yield* everyLevel] as const
})

/** Returns whether a user has stored access to a repository, or to the organization that owns it. */
export const hasStoredAccess = (name: string, path: string): boolean => {
  const [organization] = path.split("/")
  const place = world.repositories.find((each) => `${each.owner}/${each.name}` === path)
  return (
    organization === name ||
    place?.collaborators.has(name) === true ||
    world.teams.some((team) => team.organization === organization && team.members.includes(name))
  )
}
