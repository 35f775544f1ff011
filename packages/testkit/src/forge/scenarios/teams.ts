import { assert } from "@effect/vitest"
import {
  BlockStore,
  MemberStore,
  OrganizationStore,
  RepositoryStore,
  type ScopeWord,
  type Team,
  type TeamName,
  TeamStore,
  Teams
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { all, namesOf } from "../builders.ts"
import type { Ground } from "../means.ts"
import { parseWorld } from "../parse.ts"
import { plantOrganizations, repositoryAt, teamAt } from "../stored.ts"
import {
  answer,
  basic,
  bearer,
  equal,
  may,
  mayAbout,
  present,
  type Scenario,
  type Sent,
  tokenOf,
  user
} from "./support.ts"

const world = parseWorld(`
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

const ground = Effect.gen(function* () {
  for (const { admin, name, restricted, visibility } of world.users.values()) {
    yield* user(name, { admin, restricted, visibility })
  }
  yield* plantOrganizations(world)
})

const acme = { kind: "organization", organization: "acme" } as const
const onTeam = (path: string) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id }) as const)
const onHolding = (path: string, owner: string, repository: string) =>
  Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, owner, repository }) as const)

const created = (input: Omit<Teams.NewTeamInput, "name"> & { readonly name: string }, sent: Sent = basic("olga")) =>
  Effect.flatMap(mayAbout("organization.team.create", acme, sent), (proof) =>
    Teams.create(proof, { ...input, name: input.name as TeamName })
  )
const edited = (path: string, input: Teams.TeamEdit, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.edit(yield* mayAbout("team.edit", yield* onTeam(path), sent), input)
  })
const removed = (path: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.remove(yield* mayAbout("team.delete", yield* onTeam(path), sent))
  })
const added = (path: string, name: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.addMember(yield* mayAbout("team.member.add", yield* onTeam(path), sent), name)
  })
const takenOut = (path: string, name: string, sent: Sent = basic("olga")) =>
  Effect.gen(function* () {
    return yield* Teams.removeMember(yield* mayAbout("team.member.remove", yield* onTeam(path), sent), name)
  })

const idOf = (name: string) =>
  Effect.map(present(name), (found) => {
    assert.isDefined(found)
    return found.id
  })
const membership = (name: string) =>
  Effect.gen(function* () {
    const { organizationId } = yield* teamAt("acme/Owners")
    return yield* (yield* MemberStore).find(organizationId, yield* idOf(name))
  })

const giveBack = Effect.gen(function* () {
  yield* ground
  const made = yield* created({
    name: "makers",
    description: "they make",
    unitsMap: { "repo.code": "write", "repo.ext_wiki": "admin", "repo.issues": "none" },
    includesAllRepositories: true,
    mayCreateRepositories: true,
    visibility: "limited"
  })
  const { id, organizationId, ...settings } = made
  equal(settings, {
    owners: false,
    name: "makers",
    description: "they make",
    units: { "repo.code": 2, "repo.ext_wiki": 1 },
    includesAllRepositories: true,
    mayCreateRepositories: true,
    visibility: "limited"
  })
  const read = Effect.gen(function* () {
    return Teams.read(yield* mayAbout("team.read", { kind: "team", id }, basic("olga")))
  })
  equal(yield* read, made)
  equal(yield* edited("acme/makers", {}), made)
  equal(yield* edited("acme/makers", { name: "" }), made)
  equal(yield* edited("acme/makers", { description: "", name: "Makers" as TeamName }), {
    ...made,
    description: "",
    name: "Makers"
  })
  equal((yield* edited("acme/makers", { permission: "admin" })).units["repo.actions"], 3)
  equal((yield* edited("acme/makers", { includesAllRepositories: false })).includesAllRepositories, false)
  // Existing teams, and those of which nothing is said, are private.
  equal((yield* created({ name: "quiet", permission: "read", units: ["repo.code"] })).visibility, "private")
  equal(organizationId, (yield* teamAt("acme/Owners")).organizationId)
})

const refusals = Effect.gen(function* () {
  yield* ground
  const units = ["repo.code"]
  equal(yield* answer(created({ name: "x" })), "UnitsEmpty")
  equal(yield* answer(created({ name: "x", permission: "read" })), "UnitsEmpty")
  equal(
    yield* answer(created({ name: "x", permission: "owner", units })),
    "TeamFieldInvalid permission must be none, read, write or admin"
  )
  for (const name of ["builders", "BUILDERS", "owners"]) {
    equal(yield* answer(created({ name, permission: "read", units })), `TeamNameTaken ${name}`)
  }
  equal(yield* answer(edited("acme/club", { name: "Builders" as TeamName })), "TeamNameTaken Builders")
  // Invariant I13: nobody edits a team, or makes one, from below an owner.
  for (const name of ["bob", "cy"]) {
    const sent = basic(name)
    equal(yield* answer(created({ name: "x", permission: "read", units }, sent)), "403 Must be an organization owner")
    equal(yield* answer(edited("acme/builders", { permission: "admin" }, sent)), "404 The target couldn't be found.")
    equal(yield* answer(added("acme/builders", name, sent)), "404 The target couldn't be found.")
    equal(yield* answer(removed("acme/builders", sent)), "404 The target couldn't be found.")
  }
})

const ownersStay = Effect.gen(function* () {
  yield* ground
  const before = yield* teamAt("acme/Owners")
  equal(yield* answer(edited("acme/Owners", { visibility: "public" })), "OwnersTeamFixed visibility")
  equal(yield* answer(edited("acme/Owners", { name: "Chiefs" as TeamName })), "OwnersTeamFixed name")
  equal(yield* answer(removed("acme/Owners")), "OwnersTeamFixed team")
  // What was read of it can be sent back, and changes nothing; it can always create repositories.
  equal(
    yield* edited("acme/Owners", {
      name: "Owners" as TeamName,
      permission: "owner",
      units: ["repo.code"],
      unitsMap: { "repo.code": "read" },
      includesAllRepositories: false,
      mayCreateRepositories: false,
      visibility: "private"
    }),
    before
  )
  equal((yield* edited("acme/Owners", { description: "who decides" })).description, "who decides")
})

const everyTeam = world.teams.map(({ name, organization }) => `${organization}/${name}`)

const lists = Effect.gen(function* () {
  yield* ground
  for (const name of world.users.keys()) {
    const scopes: ReadonlyArray<ReadonlyArray<ScopeWord>> = [["all"], ["read:organization"], ["all", "public-only"]]
    const tokens = yield* Effect.forEach(scopes, (words) => Effect.map(tokenOf(name, words), bearer))
    for (const [at, sent] of [basic(name), ...tokens].entries()) {
      const readable = yield* Effect.filter(everyTeam, (path) =>
        Effect.isSuccess(Effect.flatMap(onTeam(path), (about) => mayAbout("team.read", about, sent)))
      )
      for (const organization of world.organizations.keys()) {
        const about = { kind: "organization", organization } as const
        const proof = yield* Effect.option(mayAbout("organization.team.list", about, sent))
        if (proof._tag === "None") continue
        const page = yield* Teams.list(proof.value, all)
        const expected = readable
          .filter((path) => path.startsWith(`${organization}/`))
          .map((path) => path.slice(organization.length + 1))
          .toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
        equal([name, at, namesOf(page)], [name, at, { names: expected, total: expected.length }])
        const searched = yield* Teams.search(
          yield* mayAbout("organization.team.search", about, sent),
          { text: "" },
          all
        )
        equal(namesOf(searched), namesOf(page))
      }
    }
  }
  const search = (text: string, descriptions: boolean) =>
    Effect.flatMap(mayAbout("organization.team.search", acme, basic("bob")), (proof) =>
      Effect.map(Teams.search(proof, { text, descriptions }, all), namesOf)
    )
  yield* edited("acme/builders", { description: "the CLUB of those who build" })
  equal(yield* search("club", true), { names: ["builders", "club"], total: 2 })
  equal(yield* search("club", false), { names: ["club"], total: 1 })
  const own = (sent: Sent) =>
    Effect.flatMap(may("account.team.list", sent), (proof) =>
      Effect.map(Teams.listOwn(proof, all), ({ rows, total }) => ({
        names: rows.map(({ organization, team }) => `${organization.name}/${team.name}`),
        total
      }))
    )
  equal(yield* own(basic("cy")), { names: ["acme/club", "acme/readers", "hush/open"], total: 3 })
  equal(yield* own(bearer(yield* tokenOf("cy", ["all", "public-only"], { name: "own" }))), {
    names: ["acme/club", "acme/readers"],
    total: 2
  })
})

const membersComeAndGo = Effect.gen(function* () {
  yield* ground
  const members = (path: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.member.list", yield* onTeam(path), sent)
      return namesOf(yield* Teams.members(proof, all))
    })
  const member = (path: string, name: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.member.read", yield* onTeam(path), sent)
      return (yield* Teams.member(proof, name)).name
    })
  yield* added("acme/builders", "EVE")
  yield* added("acme/builders", "eve")
  equal(yield* members("acme/builders", basic("bob")), { names: ["bob", "eve"], total: 2 })
  equal(yield* member("acme/builders", "eve", basic("bob")), "eve")
  equal(yield* answer(member("acme/builders", "cy", basic("bob"))), "UserNotFound cy")
  // Invariant I9: a hidden user is missing, as a member and as one to add.
  equal(yield* members("acme/keepers", basic("bob")), { names: ["bob"], total: 1 })
  equal(yield* answer(member("acme/keepers", "pia", basic("bob"))), "UserNotFound pia")
  equal(yield* answer(added("acme/builders", "pia")), "UserNotFound pia")
  equal(yield* answer(added("acme/builders", "nobody")), "UserNotFound nobody")
  equal(yield* answer(added("acme/builders", "acme")), "UserNotFound acme")
  yield* takenOut("acme/keepers", "pia")
  equal(yield* answer(takenOut("acme/keepers", "pia")), "TeamMemberNotFound pia")
  equal(yield* members("acme/keepers", basic("pia")).pipe(answer), "404 The target couldn't be found.")
  // Who isn't in the organization is told nothing of the members, even of a public team.
  equal(yield* answer(members("acme/club", basic("rex"))), "404 The target couldn't be found.")
})

const blocked = Effect.gen(function* () {
  yield* ground
  const blocks = yield* BlockStore
  yield* blocks.add({ blocker: yield* idOf("eve"), blocked: yield* idOf("olga"), note: "" })
  equal(yield* answer(added("acme/builders", "eve")), "Blocked")
  yield* added("acme/builders", "eve", basic("omar"))
  const { organizationId } = yield* teamAt("acme/Owners")
  yield* blocks.add({ blocker: organizationId, blocked: yield* idOf("rex"), note: "" })
  equal(yield* answer(added("acme/builders", "rex")), "Blocked")
})

const lastOwnerStays = Effect.gen(function* () {
  yield* ground
  yield* takenOut("acme/Owners", "omar")
  equal(yield* answer(takenOut("acme/Owners", "olga")), "LastOwner acme")
  equal(
    (yield* membership("olga"))?.teams.map(({ name }) => name),
    ["Owners"]
  )
  equal(yield* membership("omar"), undefined)
})

const lastOwnerStaysAtOnce = Effect.gen(function* () {
  yield* ground
  const answers = yield* Effect.all(
    [answer(takenOut("acme/Owners", "omar", basic("olga"))), answer(takenOut("acme/Owners", "olga", basic("omar")))],
    { concurrency: "unbounded" }
  )
  // The other has gone by then, and is no owner any more, or still is and meets the rule.
  equal(answers.filter((each) => each === undefined).length, 1)
  const { organizationId } = yield* teamAt("acme/Owners")
  equal(yield* (yield* MemberStore).countOwners(organizationId), 1)
})

const noMemberOfNothing = Effect.gen(function* () {
  yield* ground
  const { id } = yield* teamAt("acme/club")
  const added = Effect.gen(function* () {
    return yield* Teams.addMember(yield* mayAbout("team.member.add", { kind: "team", id }, basic("olga")), "eve")
  })
  const [remove, add] = yield* Effect.all([answer(removed("acme/club")), answer(added)], { concurrency: "unbounded" })
  equal(remove, undefined)
  assert.include([undefined, `TeamNotFound ${id}`, "404 The target couldn't be found."], add)
  equal(yield* (yield* TeamStore).find(id), undefined)
  equal(yield* membership("eve"), undefined)
})

const oneName = Effect.gen(function* () {
  yield* ground
  const answers = yield* Effect.forEach(
    ["twins", "Twins", "TWINS", "twins"],
    (name) => answer(created({ name, permission: "read", units: ["repo.code"] })),
    { concurrency: "unbounded" }
  )
  equal(answers.filter((each) => String(each).startsWith("TeamNameTaken")).length, 3)
})

const revoked = Effect.gen(function* () {
  yield* ground
  const members = yield* MemberStore
  const { organizationId } = yield* teamAt("acme/Owners")
  const cy = yield* idOf("cy")
  yield* members.setPublic(organizationId, cy, true)
  const reach = (path: string) =>
    Effect.gen(function* () {
      const held = yield* (yield* RepositoryStore).heldBy(cy, (yield* repositoryAt(path)).id)
      return [held?.holding.place.member, held?.holding.teams["repo.code"] ?? 0]
    })
  equal(yield* reach("acme/vault"), [true, 1])
  yield* takenOut("acme/readers", "cy")
  // Another team keeps the membership, and what everybody may know of it.
  equal((yield* membership("cy"))?.public, true)
  equal(yield* reach("acme/vault"), [true, 0])
  yield* removed("acme/club")
  equal(yield* membership("cy"), undefined)
  equal(yield* reach("acme/site"), [false, 0])
  // Coming back brings nothing back.
  yield* added("acme/builders", "cy")
  equal((yield* membership("cy"))?.public, false)
})

const holding = Effect.gen(function* () {
  yield* ground
  const add = (path: string, owner: string, repository: string, sent: Sent = basic("olga")) =>
    Effect.gen(function* () {
      const about = yield* onHolding(path, owner, repository)
      return yield* Teams.addRepository(yield* mayAbout("team.repository.add", about, sent))
    })
  const letGo = (path: string, owner: string, repository: string, sent: Sent = basic("olga")) =>
    Effect.gen(function* () {
      const about = yield* onHolding(path, owner, repository)
      return yield* Teams.removeRepository(yield* mayAbout("team.repository.remove", about, sent))
    })
  const read = (path: string, repository: string, sent: Sent) =>
    Effect.gen(function* () {
      const about = yield* onHolding(path, "acme", repository)
      const found = yield* Teams.repository(yield* mayAbout("team.repository.read", about, sent))
      return found.repository.name
    })
  const list = (path: string, sent: Sent) =>
    Effect.gen(function* () {
      const proof = yield* mayAbout("team.repository.list", yield* onTeam(path), sent)
      const { rows, total } = yield* Teams.repositories(proof, all)
      return { names: rows.map(({ repository }) => repository.name), total }
    })
  equal(yield* answer(read("acme/builders", "vault", basic("olga"))), "RepositoryNotFound acme/vault")
  yield* add("acme/builders", "acme", "vault")
  yield* add("acme/builders", "acme", "vault")
  equal(yield* read("acme/builders", "vault", basic("bob")), "vault")
  equal(yield* list("acme/builders", basic("bob")), { names: ["site", "vault"], total: 2 })
  // Invariant I10: a team shows of its repositories those that the caller sees.
  equal(yield* list("acme/club", basic("eve")), { names: ["site"], total: 1 })
  yield* add("acme/club", "acme", "vault")
  equal(yield* list("acme/club", basic("eve")), { names: ["site"], total: 1 })
  // Invariant I6: a repository of another owner is missing, also for those who administer both.
  equal(yield* answer(add("acme/builders", "hush", "plot")), "RepositoryNotFound hush/plot")
  equal(yield* answer(add("acme/builders", "eve", "own", basic("ann"))), "RepositoryNotFound eve/own")
  // Who administers a repository lets their own team hold it, nobody else does.
  equal(
    yield* answer(add("acme/club", "acme", "site", basic("cy"))),
    "403 Must have admin-level access to the repository"
  )
  equal(yield* answer(add("acme/club", "acme", "site", basic("bob"))), "403 Must be a team member")
  yield* add("acme/builders", "acme", "site", basic("bob"))
  yield* letGo("acme/builders", "acme", "site", basic("bob"))
  equal(yield* answer(letGo("acme/builders", "acme", "site")), "RepositoryNotFound acme/site")
  assert.isDefined(yield* repositoryAt("acme/site"))
  equal(yield* answer(letGo("acme/readers", "acme", "site")), "TeamHoldsAll readers")
  // What was held by name stays when a team no longer includes all.
  yield* add("acme/readers", "acme", "vault")
  yield* edited("acme/readers", { includesAllRepositories: false })
  equal(yield* list("acme/readers", basic("olga")), { names: ["vault"], total: 1 })
})

const gone = Effect.gen(function* () {
  yield* ground
  const proof = yield* mayAbout("team.edit", yield* onTeam("acme/club"), basic("olga"))
  yield* removed("acme/club")
  equal(yield* answer(Teams.edit(proof, { description: "late" })), `TeamNotFound ${proof.resource.team.id}`)
  const late = yield* mayAbout("organization.team.create", { ...acme, organization: "hush" }, basic("olga"))
  const organizations = yield* OrganizationStore
  yield* (yield* RepositoryStore).remove((yield* repositoryAt("hush/plot")).id)
  yield* organizations.remove(late.resource.organization.id)
  equal(
    yield* answer(Teams.create(late, { name: "x" as TeamName, permission: "read", units: ["repo.code"] })),
    "OrganizationNotFound hush"
  )
})

const visible: Readonly<Record<string, ReadonlyArray<string>>> = {
  ann: everyTeam,
  olga: everyTeam,
  omar: everyTeam.filter((path) => path.startsWith("acme/")),
  bob: ["acme/builders", "acme/keepers", "acme/club", "acme/readers"],
  pia: ["acme/keepers", "acme/club", "acme/readers"],
  cy: ["acme/club", "acme/readers", "hush/open"],
  eve: ["acme/club"],
  rex: []
}

const sight = Effect.gen(function* () {
  yield* ground
  for (const [name, expected] of Object.entries(visible)) {
    for (const path of everyTeam) {
      const [organization = ""] = path.split("/")
      const member = world.teams.some((team) => team.organization === organization && team.members.includes(name))
      const answered = yield* answer(
        Effect.flatMap(onTeam(path), (about) =>
          Effect.map(mayAbout("team.read", about, basic(name)), (proof): Team["name"] => Teams.read(proof).name)
        )
      )
      const refusal = member ? "403 Must be a team member" : "404 The target couldn't be found."
      equal([name, path, answered], [name, path, expected.includes(path) ? path.split("/")[1] : refusal])
    }
  }
  const { id } = yield* teamAt("acme/club")
  equal(yield* answer(mayAbout("team.read", { kind: "team", id }, {})), "401 token is required")
  equal(yield* answer(mayAbout("team.read", { kind: "team", id: 4_040_404 }, {})), "401 token is required")
})

/** What teams do, on every store. */
export const teams: Scenario = {
  port: "teams",
  musts: {
    "give back what they are made of, and an edit leaves what it leaves out": giveBack,
    "refuse what means nothing, names that are taken, and callers below owners": refusals,
    "are seen by owners, their members, and whom their visibility admits": sight,
    "are listed and searched as they are read (invariant I10)": lists,
    "of owners stay as they are": ownersStay,
    "take members in and let them go": membersComeAndGo,
    "take nobody in who blocks the adder, or whom the organization blocks": blocked,
    "keep the last owner": lastOwnerStays,
    "keep the last owner when two are taken out at once": lastOwnerStaysAtOnce,
    "take nobody in while they are deleted": noMemberOfNothing,
    "have one name each, also when several are made at once": oneName,
    "take with them what they gave (invariant I7)": revoked,
    "hold repositories of their organization alone (invariant I6)": holding,
    "answer like missing ones when they have gone meanwhile": gone
  } satisfies Readonly<Record<string, Effect.Effect<void, unknown, Ground>>>
}
