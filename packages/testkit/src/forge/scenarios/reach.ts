import { assert } from "@effect/vitest"
import type { Page, PageRequest } from "@slipway/domain"
import { levelWord } from "@slipway/domain/access"
import {
  asViewer,
  Entry,
  type Levels,
  levelsOf,
  MemberStore,
  Members,
  OrganizationStore,
  Organizations,
  type Reach,
  Reaches,
  RepositoryStore,
  repositoryFacts,
  SiteSettings,
  TeamStore,
  Teams,
  UserStore,
  unitKeys,
  WouldChange
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { all, stranger, viewing } from "../builders.ts"
import type { Ground } from "../means.ts"
import { parseWorld } from "../parse.ts"
import { plantOrganizations, repositoryAt, teamAt } from "../stored.ts"
import {
  answer,
  basic,
  enter,
  enterAbout,
  equal,
  mayAbout,
  present,
  type Scenario,
  type Sent,
  user
} from "./support.ts"

const world = parseWorld(`
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

const ground = Effect.gen(function* () {
  for (const { admin, name, restricted, visibility } of world.users.values()) {
    yield* user(name, { admin, restricted, visibility })
  }
  yield* plantOrganizations(world)
})

const users = [...world.users.keys()]
const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)

const found = (name: string) =>
  Effect.map(present(name), (each) => {
    assert.isDefined(each)
    return each
  })

const spell = ({ permission, units }: Levels) =>
  [
    levelWord(permission),
    ...unitKeys.flatMap((unit) => (units[unit] === undefined ? [] : `${unit.slice(5)}=${levelWord(units[unit])}`))
  ].join(" ")

/** Reads the levels of everybody on everything, by what requests of each would be shown. */
const everyLevel = Effect.gen(function* () {
  const { switches } = yield* SiteSettings
  const store = yield* RepositoryStore
  const levels = new Map<string, Levels>()
  const people = yield* Effect.forEach(users, (name) =>
    Effect.map(found(name), (each) => [name, asViewer(each)] as const)
  )
  const anybody = { ...viewing({ ...(yield* found("eve")), secondFactor: true }), userId: undefined }
  for (const [name, viewer] of [...people, ["anonymous", stranger] as const, ["signed-in", anybody] as const]) {
    const { rows } = yield* store.list({ ...viewer, switches }, {}, all)
    for (const path of repositories) {
      const held = rows.find(({ repository }) => `${repository.owner.name}/${repository.name}` === path)
      levels.set(`${name} ${path}`, levelsOf(repositoryFacts(viewer, switches, held)))
    }
  }
  return levels
})

/** Reads all that is stored of organizations, teams, members and repositories. */
const everyThing = Effect.gen(function* () {
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

const olga = basic("olga")

interface Attempt {
  readonly says: string
  readonly preview: (page: PageRequest) => Effect.Effect<Page<WouldChange.Change>, unknown, Ground>
  readonly act: Effect.Effect<unknown, unknown, Ground>
  /** Where audiences are told of too: which users are told by name, since the others have what an audience has. */
  readonly named?: (name: string, path: string) => boolean
}

const onTeam = (path: string) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id }) as const)

const editing = (path: string, input: Teams.TeamEdit): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.edit", about, olga))
  return {
    says: `${path} ${JSON.stringify(input)}`,
    preview: (page) =>
      Effect.flatMap(proof, (given) => WouldChange.ofTeamEdit(given, input, Teams.edit(given, input), page)),
    act: Effect.flatMap(proof, (given) => Teams.edit(given, input))
  }
}

const deleting = (path: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.delete", about, olga))
  return {
    says: `without ${path}`,
    preview: (page) => Effect.flatMap(proof, (given) => WouldChange.ofTeamDeletion(given, Teams.remove(given), page)),
    act: Effect.flatMap(proof, Teams.remove)
  }
}

const adding = (path: string, name: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.member.add", about, olga))
  return {
    says: `${name} into ${path}`,
    preview: (page) =>
      Effect.flatMap(proof, (given) => WouldChange.ofNewMember(given, name, Teams.addMember(given, name), page)),
    act: Effect.flatMap(proof, (given) => Teams.addMember(given, name))
  }
}

const takingOut = (path: string, name: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.member.remove", about, olga))
  return {
    says: `${name} out of ${path}`,
    preview: (page) =>
      Effect.flatMap(proof, (given) => WouldChange.ofFormerMember(given, name, Teams.removeMember(given, name), page)),
    act: Effect.flatMap(proof, (given) => Teams.removeMember(given, name))
  }
}

const removing = (organization: string, name: string): Attempt => {
  const proof = mayAbout("organization.member.remove", { kind: "organization", organization }, olga)
  return {
    says: `${name} out of ${organization}`,
    preview: (page) =>
      Effect.flatMap(proof, (given) => WouldChange.ofFormerMember(given, name, Members.remove(given, name), page)),
    act: Effect.flatMap(proof, (given) => Members.remove(given, name))
  }
}

const holding = (
  action: "team.repository.add" | "team.repository.remove",
  path: string,
  repository: string
): Attempt => {
  const [owner = "", name = ""] = repository.split("/")
  const about = Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, owner, repository: name }) as const)
  const change = Effect.gen(function* () {
    if (action === "team.repository.add") {
      const given = yield* mayAbout(action, yield* about, olga)
      return { given, act: Teams.addRepository(given) }
    }
    const given = yield* mayAbout(action, yield* about, olga)
    return { given, act: Teams.removeRepository(given) }
  })
  return {
    says: `${action} ${path} ${repository}`,
    preview: (page) =>
      Effect.flatMap(change, ({ act, given }) => WouldChange.ofTeamRepository<void, unknown, Ground>(given, act, page)),
    act: Effect.flatMap(change, ({ act }): Effect.Effect<void, unknown, Ground> => act)
  }
}

const showing = (organization: string, visibility: "public" | "limited" | "private"): Attempt => {
  const proof = mayAbout("organization.edit", { kind: "organization", organization }, olga)
  return {
    says: `${organization} ${visibility}`,
    preview: (page) =>
      Effect.flatMap(proof, (given) =>
        WouldChange.ofOrganization(given, Organizations.edit(given, { visibility }), page)
      ),
    act: Effect.flatMap(proof, (given) => Organizations.edit(given, { visibility })),
    named: () => false
  }
}

const tied = (name: string, path: string): boolean => {
  const [organization] = path.split("/")
  const place = world.repositories.find((each) => `${each.owner}/${each.name}` === path)
  return (
    organization === name ||
    place?.collaborators.has(name) === true ||
    world.teams.some((team) => team.organization === organization && team.members.includes(name))
  )
}

const opening = (path: string, isPrivate: boolean, sent: Sent): Attempt => {
  const [owner = "", name = ""] = path.split("/")
  const proof = mayAbout("repository.edit", { kind: "repository", owner, repository: name }, sent)
  const edit = Effect.gen(function* () {
    const store = yield* RepositoryStore
    const repository = yield* repositoryAt(path)
    yield* store.replace({ ...repository, private: isPrivate })
  })
  return {
    says: `${path} ${isPrivate ? "private" : "public"}`,
    preview: (page) => Effect.flatMap(proof, (given) => WouldChange.ofRepository(given, edit, page)),
    act: edit,
    named: tied
  }
}

const attempts: ReadonlyArray<Attempt> = [
  editing("acme/builders", { permission: "admin" }),
  editing("acme/builders", { unitsMap: { "repo.issues": "write" } }),
  editing("acme/builders", { includesAllRepositories: true }),
  editing("acme/readers", { includesAllRepositories: false }),
  editing("acme/readers", { description: "nothing else" }),
  editing("acme/keepers", { unitsMap: { "repo.code": "read" } }),
  deleting("acme/builders"),
  deleting("acme/keepers"),
  deleting("acme/readers"),
  deleting("inner/crew"),
  deleting("hush/crew"),
  deleting("hush/rest"),
  adding("acme/builders", "eve"),
  adding("acme/Owners", "cleo"),
  adding("acme/keepers", "bob"),
  adding("inner/crew", "cy"),
  adding("hush/rest", "eve"),
  adding("hush/crew", "cleo"),
  takingOut("acme/Owners", "omar"),
  takingOut("acme/builders", "pia"),
  takingOut("acme/keepers", "cy"),
  takingOut("hush/crew", "bob"),
  takingOut("hush/rest", "cy"),
  removing("acme", "cy"),
  removing("hush", "omar"),
  removing("inner", "rex"),
  holding("team.repository.add", "acme/builders", "acme/shed"),
  holding("team.repository.add", "acme/keepers", "acme/site"),
  holding("team.repository.add", "hush/rest", "hush/well"),
  holding("team.repository.remove", "acme/builders", "acme/vault"),
  holding("team.repository.remove", "hush/crew", "hush/well"),
  showing("acme", "limited"),
  showing("acme", "private"),
  showing("inner", "public"),
  showing("hush", "limited"),
  showing("hush", "public"),
  opening("acme/site", true, olga),
  opening("acme/vault", false, olga),
  opening("acme/shed", false, olga),
  opening("hush/plot", true, olga),
  opening("eve/own", true, basic("eve")),
  opening("eve/diary", false, basic("eve"))
]

const told = (change: WouldChange.Change): readonly [string, string] => {
  const who = change.who.kind === "user" ? change.who.user.name : change.who.audience
  const { name, owner } = change.repository
  const step = (at: "before" | "after") =>
    JSON.stringify([
      levelWord(change.permission[at]),
      ...unitKeys.flatMap((unit) => {
        const each = change.units[unit]
        return each === undefined ? [] : [`${unit} ${levelWord(each[at])}`]
      })
    ])
  return [`${who} ${owner.name}/${name}`, `${step("before")} ${step("after")}`]
}

const difference = (before: Levels | undefined, after: Levels | undefined): string => {
  const at = (one: Levels | undefined, other: Levels | undefined) =>
    JSON.stringify([
      levelWord(one?.permission ?? 0),
      ...unitKeys.flatMap((unit) =>
        one?.units[unit] === other?.units[unit] ? [] : [`${unit} ${levelWord(one?.units[unit] ?? 0)}`]
      )
    ])
  return `${at(before, after)} ${at(after, before)}`
}

const audiences: ReadonlyArray<string> = WouldChange.audiences

const tellsWhatHappens = Object.fromEntries(
  attempts.map(({ act, named, preview, says }) => [
    says,
    Effect.gen(function* () {
      yield* ground
      // A first sign-in is noted.
      for (const sent of [olga, basic("eve")]) yield* enter(sent)
      const before = yield* everyThing
      const changes: Array<readonly [string, string]> = []
      const first = yield* preview({ page: 1, perPage: 5 })
      for (let page = 1; (page - 1) * 5 < first.total; page++) {
        changes.push(...(yield* preview({ page, perPage: 5 })).rows.map(told))
      }
      assert.deepStrictEqual(yield* everyThing, before, "a preview changes nothing")
      yield* act
      const after = yield* everyLevel
      const happened = [...after].flatMap(([key, levels]) => {
        const was = before[1].get(key)
        if (was !== undefined && spell(was) === spell(levels)) return []
        const [who = "", path = ""] = key.split(" ")
        const isTold = audiences.includes(who) ? named !== undefined : named === undefined || named(who, path)
        if (!isTold) {
          assert.isFalse(tied(who, path), `${who} is told by nobody`)
          return []
        }
        return [[key, difference(was, levels)] as const]
      })
      equal(new Map(changes), new Map(happened))
      equal(changes.length, happened.length)
    })
  ])
)

const reachedBy = ({ permission, repository, units, user }: Reach) => [
  `${user.name} ${repository.owner.name}/${repository.name}`,
  spell({
    permission,
    units: Object.fromEntries(Object.entries(units).map(([unit, { level }]) => [unit, level]))
  })
]

const ofUser = (organization: string, name: string, sent: Sent = olga) =>
  Effect.flatMap(mayAbout("organization.member.access", { kind: "organization", organization }, sent), (proof) =>
    Reaches.ofUser(proof, name, all)
  )

const tellsWhatIsReached = Effect.gen(function* () {
  yield* ground
  const levels = yield* everyLevel
  for (const organization of world.organizations.keys()) {
    for (const name of users.filter((each) => each !== "pia" || organization === "acme")) {
      const { rows, total } = yield* ofUser(organization, name)
      const expected = repositories
        .filter((path) => path.startsWith(`${organization}/`))
        .map((path) => `${name} ${path}`)
        .filter((key) => (levels.get(key)?.permission ?? 0) > 0)
        .map((key) => [key, spell(levels.get(key) as Levels)])
      equal(rows.map(reachedBy), expected)
      equal(total, expected.length)
      // Every level is given by something, and nothing is told of a unit that is closed.
      for (const { units } of rows) {
        for (const each of Object.values(units)) assert.isAbove(each.by.length, 0)
      }
      for (const path of repositories.filter((each) => each.startsWith(`${organization}/`))) {
        const [owner = "", repository = ""] = path.split("/")
        const entered = yield* enterAbout(basic(name), { kind: "repository", owner, repository })
        const reads = yield* Effect.isSuccess(Entry.authorize("repository.read", entered as never))
        equal([name, path, reads], [name, path, rows.some((row) => row.repository.name === repository)])
      }
    }
  }
  equal(yield* answer(ofUser("hush", "pia")), "UserNotFound pia")
  equal(yield* answer(ofUser("hush", "nobody")), "UserNotFound nobody")
  equal(yield* answer(ofUser("acme", "bob", basic("bob"))), "403 Must be an organization owner")
})

const tellsWhy = Effect.gen(function* () {
  yield* ground
  const why = Effect.fnUntraced(function* (name: string, repository: string) {
    const { rows } = yield* ofUser("acme", name)
    const [row] = rows.filter((each) => each.repository.name === repository)
    return Object.fromEntries(
      Object.entries(row?.units ?? {}).map(([unit, { by, level }]) => [
        unit.slice(5),
        `${levelWord(level)} by ${by.map(({ rule, teams }) => [rule.slice(11), ...teams].join(" ")).join(", ")}`
      ])
    )
  })
  equal(yield* why("bob", "vault"), { code: "write by team builders", issues: "read by team builders" })
  equal(yield* why("cy", "shed"), {})
  const cy = yield* why("cy", "vault")
  equal(
    [cy.code, cy.wiki, cy.ext_wiki],
    [
      "admin by team-admin keepers, team keepers",
      "admin by team-admin keepers, team keepers",
      "read by team-admin keepers, team keepers"
    ]
  )
  equal((yield* why("omar", "vault")).code, "admin by organization-owner Owners")
  equal((yield* why("cleo", "site")).pulls, "write by collaborator")
  equal((yield* why("eve", "site")).code, "read by public")
  equal((yield* why("ann", "vault")).code, "admin by site-admin")
})

const tellsWho = Effect.gen(function* () {
  yield* ground
  const levels = yield* everyLevel
  for (const path of repositories) {
    const [owner = "", repository = ""] = path.split("/")
    const sent = owner === "eve" ? basic("eve") : olga
    const proof = yield* mayAbout("repository.access.list", { kind: "repository", owner, repository }, sent)
    const { rows, total } = yield* Reaches.ofRepository(proof, all)
    const held = world.teams.filter(
      (team) => team.organization === owner && (team.repositories === "all" || team.repositories.includes(repository))
    )
    const people = users.filter(
      (name) =>
        name === owner ||
        world.repositories.some((each) => `${each.owner}/${each.name}` === path && each.collaborators.has(name)) ||
        held.some((team) => team.members.includes(name)) ||
        world.teams.some((team) => team.organization === owner && team.owners && team.members.includes(name))
    )
    equal(
      rows.map(reachedBy),
      people.toSorted().map((name) => [`${name} ${path}`, spell(levels.get(`${name} ${path}`) as Levels)])
    )
    equal(total, rows.length)
  }
  const about = { kind: "repository", owner: "acme", repository: "vault" } as const
  equal(
    yield* answer(mayAbout("repository.access.list", about, basic("bob"))),
    "403 user should be an owner or a collaborator with admin write of a repository"
  )
  // Who administers a repository and doesn't own it is told of those whom they see.
  const proof = yield* mayAbout("repository.access.list", about, basic("cy"))
  equal(
    (yield* Reaches.ofRepository(proof, all)).rows.map(({ user }) => user.name),
    ["bob", "cy", "olga", "omar", "rex"]
  )
})

const refusesAlike = Effect.gen(function* () {
  yield* ground
  const refused: ReadonlyArray<Attempt> = [
    deleting("acme/Owners"),
    takingOut("inner/Owners", "olga"),
    takingOut("acme/builders", "eve"),
    adding("acme/builders", "nobody"),
    removing("inner", "olga"),
    removing("inner", "eve"),
    editing("acme/builders", { permission: "owner" }),
    editing("acme/Owners", { visibility: "public" }),
    holding("team.repository.add", "acme/builders", "hush/plot"),
    holding("team.repository.remove", "acme/readers", "acme/site")
  ]
  for (const { act, preview, says } of refused) {
    const previewed = yield* answer(preview(all))
    equal([says, previewed], [says, yield* answer(act)])
    assert.typeOf(previewed, "string")
  }
})

/** Who reaches what, and what changes would give and take, on every store. */
export const reach: Scenario = {
  port: "reach",
  musts: {
    "tells what a user reaches in an organization, which is what requests are let to": tellsWhatIsReached,
    "names the rules and the teams that give each level": tellsWhy,
    "tells who is tied to a repository, to owners and to its administrators": tellsWho,
    "tells before a change what happens, and changes nothing": tellsWhatHappens,
    "refuses before a change what is refused": refusesAlike
  }
}
