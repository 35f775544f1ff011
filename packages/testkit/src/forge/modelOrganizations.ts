import { type Level, type Visibility, visibilities } from "@slipway/access"
import type { Duplicate } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { type TeamVisibility, teamVisibilities, type Unit, unitKeys } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type CollaboratorLevel, labels, RepositoryStore, switchesBut } from "@slipway/domain/forge/code"
import { FactsStore } from "@slipway/domain/forge/entry"
import {
  MemberStore,
  type NewTeam,
  type OrganizationId,
  OrganizationStore,
  type TeamId,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import {
  all,
  anonymousViewer,
  missing,
  newOrganization,
  newRepository,
  newTeam,
  newUser,
  organizationOwner,
  userOwner,
  viewerOfSite,
  viewing
} from "./builders.ts"
import { bare, type Command, type Dice } from "./model.ts"

const people = ["Ann", "bob", "cy", "dora"] as const
const organizations = ["acme", "ACME", "globex"] as const
const teams = ["one", "ONE"] as const
const repositories = ["site", "SITE", "vault"] as const

const refusable = <A, R>(effect: Effect.Effect<A, Duplicate, R>) =>
  Effect.match(effect, { onSuccess: (value): unknown => value, onFailure: ({ of }): unknown => `duplicate ${of}` })

const userId = (name: string) =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user.id ?? missing))
const organizationId = (name: string) =>
  Effect.flatMap(OrganizationStore, (store) =>
    Effect.map(store.named(name), (found) => found?.organization.id ?? (missing as unknown as OrganizationId))
  )
const teamId = (organization: string, name: string) =>
  Effect.gen(function* () {
    const found = yield* (yield* TeamStore).named(yield* organizationId(organization), name)
    return found?.id ?? (missing as unknown as TeamId)
  })
const repositoryId = (owner: string, name: string) =>
  Effect.flatMap(RepositoryStore, (store) =>
    Effect.map(store.named(owner, name), (found) => found?.repository.id ?? (missing as unknown as RepositoryId))
  )
const viewer = Effect.fnUntraced(function* (name: string, admin: boolean) {
  const found = yield* (yield* UserStore).named(name)
  return found === undefined ? anonymousViewer : viewing({ ...found.user, admin })
})

/** Stores the initial data of random commands: four users, two organizations with a team each, and a repository. */
export const organizationFixture = Effect.gen(function* () {
  const users = yield* UserStore
  const members = yield* TeamStore
  for (const [n, name] of people.entries()) {
    yield* users.insert(newUser(900 + n, { name, visibility: n === 3 ? "limited" : "public" }))
  }
  for (const [n, name] of ["acme", "globex"].entries()) {
    const organization = yield* (yield* OrganizationStore).insert(newOrganization(n, { name }))
    const { id } = yield* members.insert(newTeam(n, organization, { name: "one", includesAllRepositories: n === 1 }))
    for (const person of people.slice(n, n + 3)) yield* members.addMember(id, yield* userId(person))
    const held = yield* (yield* RepositoryStore).insert(
      newRepository(n, organizationOwner(organization), { name: "site", private: true })
    )
    yield* members.addRepository(id, held.id)
  }
})

type Asked<A> = Effect.Effect<A, never, Stores>

/** Generates a random command about organizations, teams and repositories. `n` makes names unique within one run. */
export const organizationCommand = (dice: Dice, n: number): Command => {
  const person = dice.of(people)
  const other = dice.of(people)
  const organization = dice.of(organizations)
  const team = dice.of(teams)
  const repository = dice.of(repositories)
  const owner = dice.of([organization, organization, person] as const)
  const visibility = dice.of(visibilities as readonly [Visibility, ...Array<Visibility>])
  const page = dice.of([all, { page: 1, perPage: 2 }, { page: 2, perPage: 2 }])
  const flag = dice.of([true, false])
  const another = dice.of([true, false])
  const rarely = dice.below(8) === 0
  const renamed = dice.of(["initech", "globex", "acme"] as const)
  const level = dice.below(4)
  const units = Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const held = dice.below(4)
      return held === 0 ? [] : [[unit, unit.includes("ext_") ? 1 : held]]
    })
  ) as { readonly [U in Unit]?: Level }
  const off = unitKeys.filter(() => dice.below(3) === 0)
  const settings: Partial<NewTeam> = {
    name: team,
    units,
    includesAllRepositories: flag,
    mayCreateRepositories: another,
    visibility: dice.of(teamVisibilities as readonly [TeamVisibility, ...Array<TeamVisibility>])
  }
  const say = (text: string, answer: Asked<unknown>): Command => ({ text, answer: Effect.map(answer, bare) })
  const facts = (text: string, about: Parameters<FactsStore["Service"]["load"]>[0]["about"]) =>
    say(
      `facts of ${text} for ${person}${rarely ? ` as ${other}` : ""}`,
      Effect.flatMap(FactsStore, (store) =>
        store.load({ caller: { _tag: "Name", name: person }, sudo: rarely ? other : undefined, about } as never)
      )
    )
  const joins = () =>
    say(
      `add ${person} to ${organization}/${rarely ? "Owners" : team}`,
      Effect.gen(function* () {
        const id = yield* teamId(organization, rarely ? "Owners" : team)
        return yield* (yield* TeamStore).addMember(id, yield* userId(person))
      })
    )
  const makers: readonly [() => Command, ...ReadonlyArray<() => Command>] = [
    joins,
    joins,
    joins,
    () =>
      say(
        `found ${organization} ${visibility}`,
        Effect.flatMap(OrganizationStore, (store) =>
          refusable(store.insert(newOrganization(n, { name: organization, visibility })))
        )
      ),
    () =>
      say(
        `rename organization ${organization} ${rarely ? person : renamed}`,
        Effect.gen(function* () {
          // Names of users and organizations collide.
          const name = rarely ? person : renamed
          return yield* refusable((yield* OrganizationStore).rename(yield* organizationId(organization), name))
        })
      ),
    () =>
      say(
        `remove organization ${organization}`,
        Effect.gen(function* () {
          const id = yield* organizationId(organization)
          if (!rarely || (yield* (yield* RepositoryStore).ownsAny(id))) return "stays"
          return yield* (yield* OrganizationStore).remove(id)
        })
      ),
    () =>
      say(
        `directory as ${person}`,
        Effect.gen(function* () {
          return yield* (yield* OrganizationStore).directory(yield* viewer(person, rarely), page)
        })
      ),
    () =>
      say(
        `organizations of ${other} as ${person}`,
        Effect.gen(function* () {
          const store = yield* OrganizationStore
          const by = yield* viewer(person, rarely)
          const alone = yield* store.lockOwnedAlone(yield* userId(other))
          return [alone, yield* store.ofUser(by, yield* userId(other), { concealedToo: flag }, page)]
        })
      ),
    () =>
      say(
        `make team ${organization}/${team}`,
        Effect.gen(function* () {
          const id = yield* organizationId(organization)
          if (id === (missing as number)) return "nobody"
          const teams = yield* TeamStore
          const owners = rarely && (yield* teams.named(id, "Owners")) === undefined
          const row = newTeam(n, { id }, owners ? { ...settings, name: "Owners", owners } : settings)
          return yield* refusable(teams.insert(row))
        })
      ),
    () =>
      say(
        `change team ${organization}/${team}`,
        Effect.gen(function* () {
          const teams = yield* TeamStore
          const found = yield* teams.find(yield* teamId(organization, team))
          return found === undefined ? "nothing" : yield* refusable(teams.replace({ ...found, ...settings }))
        })
      ),
    () =>
      say(
        `remove team ${organization}/${team}`,
        Effect.gen(function* () {
          return rarely ? yield* (yield* TeamStore).remove(yield* teamId(organization, team)) : "stays"
        })
      ),
    () =>
      say(
        `take ${person} from ${organization}/${team}`,
        Effect.gen(function* () {
          return yield* (yield* TeamStore).removeMember(yield* teamId(organization, team), yield* userId(person))
        })
      ),
    () =>
      say(
        `membership of ${person} in ${organization}`,
        Effect.gen(function* () {
          const members = yield* MemberStore
          const [of, user] = [yield* organizationId(organization), yield* userId(person)] as const
          const set = yield* members.setPublic(of, user, flag)
          const gone = rarely && (yield* members.remove(of, user))
          return [set, gone, yield* members.find(of, user), yield* members.countOwners(of)]
        })
      ),
    () =>
      say(
        `members of ${organization} as ${person}`,
        Effect.gen(function* () {
          const by = yield* viewer(person, rarely)
          const filter = { publicOnes: flag, hiddenToo: another }
          return yield* (yield* MemberStore).list(by, yield* organizationId(organization), filter, page)
        })
      ),
    () =>
      say(
        `teams of ${organization} and ${other} as ${person}`,
        Effect.gen(function* () {
          const teams = yield* TeamStore
          const by = yield* viewer(person, rarely)
          const filter = { text: team.slice(0, 1), descriptions: flag }
          return [
            yield* teams.list(by, yield* organizationId(organization), filter, page),
            yield* teams.ofUser(by, yield* userId(other), page),
            yield* teams.members(by, yield* teamId(organization, team), page)
          ]
        })
      ),
    () =>
      say(
        `make repository ${owner}/${repository}`,
        Effect.gen(function* () {
          const of =
            owner === person
              ? userOwner({ id: yield* userId(owner) })
              : organizationOwner({ id: yield* organizationId(owner) })
          if ((of.id as number) === (missing as number)) return "nobody"
          const facts = { name: repository, private: flag, archived: another, units: switchesBut(...off) }
          return yield* refusable((yield* RepositoryStore).insert(newRepository(n, of, facts)))
        })
      ),
    () =>
      say(
        `change repository ${owner}/${repository}`,
        Effect.gen(function* () {
          const store = yield* RepositoryStore
          const found = yield* store.named(owner, repository)
          if (found === undefined) return "nothing"
          if (rarely) return yield* store.remove(found.repository.id)
          const changed = { ...found.repository, private: flag, units: switchesBut(...off) }
          const renamed = yield* refusable(store.rename(found.repository.id, `${repository}${another ? "" : n % 3}`))
          return [yield* store.replace(changed), renamed]
        })
      ),
    () =>
      say(
        `${organization}/${team} holds ${organization}/${repository}`,
        Effect.gen(function* () {
          const teams = yield* TeamStore
          const [holder, held] = [
            yield* teamId(organization, team),
            yield* repositoryId(organization, repository)
          ] as const
          const by = yield* viewer(person, rarely)
          return [
            yield* flag ? teams.addRepository(holder, held) : teams.removeRepository(holder, held),
            yield* teams.holds(holder, held),
            yield* teams.ofRepository(by, held, page)
          ]
        })
      ),
    () =>
      say(
        `${other} gets ${level} on ${owner}/${repository}`,
        Effect.gen(function* () {
          const store = yield* RepositoryStore
          const [id, user] = [yield* repositoryId(owner, repository), yield* userId(other)] as const
          const isChanged =
            level === 0
              ? yield* store.removeCollaborator(id, user)
              : yield* store.setCollaborator(id, { userId: user as UserId, level: level as CollaboratorLevel })
          return [isChanged, yield* store.grantsOf(user, id), yield* store.collaborators(anonymousViewer, id, page)]
        })
      ),
    () =>
      say(
        `repositories as ${person}`,
        Effect.gen(function* () {
          const by = viewerOfSite(yield* viewer(person, rarely), { secondFactorRequired: rarely && flag })
          const filter = {
            owner: flag ? yield* organizationId(organization) : undefined,
            team: another ? yield* teamId(organization, team) : undefined,
            text: rarely ? repository.slice(0, 2) : undefined
          }
          return yield* (yield* RepositoryStore).list(by, filter, page)
        })
      ),
    () =>
      say(
        `repositories of everybody as ${person}`,
        Effect.gen(function* () {
          return yield* (yield* RepositoryStore).list(viewerOfSite(yield* viewer(person, false)), {}, all)
        })
      ),
    () =>
      say(
        `labels of ${organization}`,
        Effect.gen(function* () {
          const store = yield* labels.store
          const id = yield* organizationId(organization)
          if (id === (missing as number)) return yield* store.list({ organizationId: id }, page)
          const label = { name: team, color: "ffffff", description: "", exclusive: flag, archived: another }
          return [
            yield* Effect.orDie(store.insert({ ...label, organizationId: id, repositoryId: null })),
            yield* store.list({ organizationId: id }, page)
          ]
        })
      ),
    () => facts(organization, { kind: "organization", organization }),
    () => facts(`${organization} and ${other}`, { kind: "organizationUser", organization, name: other }),
    () => facts(`${owner}/${repository}`, { kind: "repository", owner, repository }),
    () => facts(`packages of ${owner}`, { kind: "packageOwner", owner }),
    () =>
      say(
        `facts of ${organization}/${team} and ${owner}/${repository} for ${person}`,
        Effect.gen(function* () {
          const id = yield* teamId(organization, team)
          const load = (about: { kind: "team"; id: number } | Record<string, unknown>) =>
            Effect.flatMap(FactsStore, (store) =>
              store.load({ caller: { _tag: "Name", name: person }, sudo: undefined, about } as never)
            )
          return [yield* load({ kind: "team", id }), yield* load({ kind: "teamRepository", id, owner, repository })]
        })
      )
  ]
  return dice.of(makers)()
}
