import type { ScopeWord } from "@slipway/domain/forge/access"
import type { Team } from "@slipway/domain/forge/identity"
import { Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf } from "../../builders.ts"
import { teamAt } from "../../plant.ts"
import { answer, basic, bearer, equal, may, mayAbout, type Sent, tokenOf } from "../support.ts"

import { acme, editTeam, everyTeam, fixture, onTeam, world } from "./fixture.ts"
/** Tests that lists contain exactly the teams that the caller can read. */
export const lists = Effect.gen(function* () {
  yield* fixture
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
  yield* editTeam("acme/builders", { description: "the CLUB of those who build" })
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

/** Tests that each caller can read exactly the teams that the access rules allow. */
export const visibility = Effect.gen(function* () {
  yield* fixture
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
