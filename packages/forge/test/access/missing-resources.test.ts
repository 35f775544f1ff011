import { describe, expect, it } from "@effect/vitest"
import { anonymous, itemKinds, newSiteSwitches, ordinary } from "@slipway/domain/forge/access"
import { switchesBut } from "@slipway/domain/forge/code"
import type { LoadedResources, Target } from "@slipway/domain/forge/entry"
import { kinds } from "@slipway/domain/forge/entry"
import { type Actor, nobody } from "@slipway/domain/forge/identity"
import { Effect, Exit } from "effect"
import { type Row, rows } from "../../../../scripts/vitest/accessRows.ts"
import { authorize, type EnteredActor } from "../../src/entry/Entry.ts"

// Grants of a caller with every permission: an owner of the resource and a site administrator.
const membership = { member: true, owner: true, mayCreateRepositories: true }
const organization = { organization: { id: 1, name: "acme", visibility: "public" }, membership, renamed: false }
const team = {
  team: { id: 3, visibility: "public" },
  organization: organization.organization,
  membership,
  member: true
}
const repository = {
  repository: {
    id: 4,
    name: "tool",
    private: false,
    archived: false,
    mirror: false,
    units: switchesBut(),
    owner: { kind: "user", id: 7, visibility: "public" }
  },
  grants: { membership, collaborator: 4, teamAdmin: true, teams: {} },
  renamed: false
}
const user = { user: { id: 7, name: "bob", visibility: "public" }, renamed: false }

/** The loaded resource of each type when a part of it is missing. */
const missing = {
  site: [],
  // An invalid link is a forged one, so the response reports nothing about its subject.
  signedLink: [],
  user: [undefined],
  organization: [undefined],
  organizationUser: [
    undefined,
    { organization: undefined, user: undefined },
    { organization, user: undefined },
    { organization: undefined, user }
  ],
  team: [undefined],
  teamRepository: [
    undefined,
    { team: undefined, repository: undefined },
    { team, repository: undefined },
    { team: undefined, repository }
  ],
  repository: [undefined],
  packageOwner: [undefined],
  ...Object.fromEntries(itemKinds.map((kind) => [kind, [undefined, { ...repository, item: undefined }]]))
} as unknown as { readonly [K in keyof typeof kinds]: ReadonlyArray<LoadedResources[K] | undefined> }

const callers: Readonly<Record<string, Actor>> = {
  owner: { ...nobody, facts: ordinary, userId: 7 as never },
  "site administrator": { ...nobody, facts: { ...ordinary, siteAdmin: true }, userId: 7 as never },
  nobody: { ...nobody, facts: anonymous }
}

const isLoaded = ({ action }: Row) => Object.hasOwn(kinds, action.on)

describe("a resource with a missing part", () => {
  it.effect("is refused with 404 or an earlier refusal for every action, resource type and missing part", () =>
    Effect.gen(function* () {
      const statuses = new Map<number, number>()
      for (const { action, name } of rows.filter(isLoaded)) {
        const kind = action.on as keyof typeof kinds
        for (const found of Object.hasOwn(missing, kind)
          ? missing[kind]
          : [undefined, { ...repository, item: undefined } as never]) {
          for (const [who, actor] of Object.entries(callers)) {
            const entered = { actor, switches: newSiteSwitches, about: { kind } as Target, found } as EnteredActor<
              typeof kind
            >
            const exit = yield* Effect.exit(Effect.suspend(() => authorize(name as never, entered as never)))
            const refusal = Exit.isFailure(exit)
              ? exit.cause.reasons.find((reason) => reason._tag === "Fail")
              : undefined
            if (refusal === undefined) expect({ name, who, found, exit: String(exit) }).toBe("a refusal")
            const refused = refusal?.error as { readonly decision: { readonly answer: { readonly status: number } } }
            const { status } = refused.decision.answer
            // A signed-in caller always gets 404; an anonymous caller may get 401 first.
            if (who !== "nobody" && status !== 404) expect({ name, who, found, status }).toMatchObject({ status: 404 })
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        }
      }
      expect(statuses.get(404)).toBeGreaterThan(1000)
    })
  )
})
