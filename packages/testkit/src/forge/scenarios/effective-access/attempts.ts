import type { Page, PageRequest } from "@slipway/domain"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { AccessPreview } from "@slipway/forge/explanation"
import { Members, Organizations, Teams } from "@slipway/forge/identity"
import { Effect } from "effect"
import { repositoryAt, teamAt } from "../../plant.ts"
import type { TestEnv } from "../../testEnv.ts"
import { basic, mayAbout, type Sent } from "../support.ts"

import { hasStoredAccess } from "./fixture.ts"
/** The credentials of the user olga, who owns all organizations of the test. */
export const olga: Sent = basic("olga")

/** A change that the test first previews and then makes, to compare the preview with the result. */
export interface Attempt {
  readonly says: string
  readonly preview: (page: PageRequest) => Effect.Effect<Page<AccessPreview.Change>, unknown, TestEnv>
  readonly act: Effect.Effect<unknown, unknown, TestEnv>
  /**
   * Returns whether the preview lists a user by name.
   *
   * Some previews describe other users only as groups (audiences), such as all members of the site.
   */
  readonly named?: (name: string, path: string) => boolean
}

const onTeam = (path: string) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id }) as const)

/** Edits a team. */
export const editTeam = (path: string, input: Teams.TeamEdit): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.edit", about, olga))
  return {
    says: `${path} ${JSON.stringify(input)}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) =>
        AccessPreview.ofTeamEdit(authorized, input, Teams.edit(authorized, input), page)
      ),
    act: Effect.flatMap(proof, (authorized) => Teams.edit(authorized, input))
  }
}

/** Deletes a team. */
export const deleteTeam = (path: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.delete", about, olga))
  return {
    says: `without ${path}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) => AccessPreview.ofTeamDeletion(authorized, Teams.remove(authorized), page)),
    act: Effect.flatMap(proof, Teams.remove)
  }
}

/** Adds a member to a team. */
export const addTeamMember = (path: string, name: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.member.add", about, olga))
  return {
    says: `${name} into ${path}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) =>
        AccessPreview.ofNewMember(authorized, name, Teams.addMember(authorized, name), page)
      ),
    act: Effect.flatMap(proof, (authorized) => Teams.addMember(authorized, name))
  }
}

/** Removes a member from a team. */
export const removingMember = (path: string, name: string): Attempt => {
  const proof = Effect.flatMap(onTeam(path), (about) => mayAbout("team.member.remove", about, olga))
  return {
    says: `${name} out of ${path}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) =>
        AccessPreview.ofFormerMember(authorized, name, Teams.removeMember(authorized, name), page)
      ),
    act: Effect.flatMap(proof, (authorized) => Teams.removeMember(authorized, name))
  }
}

/** Removes a member from an organization. */
export const removeOrganizationMember = (organization: string, name: string): Attempt => {
  const proof = mayAbout("organization.member.remove", { kind: "organization", organization }, olga)
  return {
    says: `${name} out of ${organization}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) =>
        AccessPreview.ofFormerMember(authorized, name, Members.remove(authorized, name), page)
      ),
    act: Effect.flatMap(proof, (authorized) => Members.remove(authorized, name))
  }
}

/** Adds a repository to a team, or removes it. */
export const teamRepository = (
  action: "team.repository.add" | "team.repository.remove",
  path: string,
  repository: string
): Attempt => {
  const [owner = "", name = ""] = repository.split("/")
  const about = Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, owner, repository: name }) as const)
  const change = Effect.gen(function* () {
    if (action === "team.repository.add") {
      const authorized = yield* mayAbout(action, yield* about, olga)
      return { authorized, act: Teams.addRepository(authorized) }
    }
    const authorized = yield* mayAbout(action, yield* about, olga)
    return { authorized, act: Teams.removeRepository(authorized) }
  })
  return {
    says: `${action} ${path} ${repository}`,
    preview: (page) =>
      Effect.flatMap(change, ({ act, authorized }) =>
        AccessPreview.ofTeamRepository<void, unknown, TestEnv>(authorized, act, page)
      ),
    act: Effect.flatMap(change, ({ act }): Effect.Effect<void, unknown, TestEnv> => act)
  }
}

const showing = (organization: string, visibility: "public" | "limited" | "private"): Attempt => {
  const proof = mayAbout("organization.edit", { kind: "organization", organization }, olga)
  return {
    says: `${organization} ${visibility}`,
    preview: (page) =>
      Effect.flatMap(proof, (authorized) =>
        AccessPreview.ofOrganization(authorized, Organizations.edit(authorized, { visibility }), page)
      ),
    act: Effect.flatMap(proof, (authorized) => Organizations.edit(authorized, { visibility })),
    named: () => false
  }
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
    preview: (page) => Effect.flatMap(proof, (authorized) => AccessPreview.ofRepository(authorized, edit, page)),
    act: edit,
    named: hasStoredAccess
  }
}

/**
 * Sample changes of permissions, at least one of every type. Some grant access, some revoke access, and some change
 * nothing.
 */
export const attempts: ReadonlyArray<Attempt> = [
  editTeam("acme/builders", { permission: "admin" }),
  editTeam("acme/builders", { unitsMap: { "repo.issues": "write" } }),
  editTeam("acme/builders", { includesAllRepositories: true }),
  editTeam("acme/readers", { includesAllRepositories: false }),
  editTeam("acme/readers", { description: "nothing else" }),
  editTeam("acme/keepers", { unitsMap: { "repo.code": "read" } }),
  deleteTeam("acme/builders"),
  deleteTeam("acme/keepers"),
  deleteTeam("acme/readers"),
  deleteTeam("inner/crew"),
  deleteTeam("hush/crew"),
  deleteTeam("hush/rest"),
  addTeamMember("acme/builders", "eve"),
  addTeamMember("acme/Owners", "cleo"),
  addTeamMember("acme/keepers", "bob"),
  addTeamMember("inner/crew", "cy"),
  addTeamMember("hush/rest", "eve"),
  addTeamMember("hush/crew", "cleo"),
  removingMember("acme/Owners", "omar"),
  removingMember("acme/builders", "pia"),
  removingMember("acme/keepers", "cy"),
  removingMember("hush/crew", "bob"),
  removingMember("hush/rest", "cy"),
  removeOrganizationMember("acme", "cy"),
  removeOrganizationMember("hush", "omar"),
  removeOrganizationMember("inner", "rex"),
  teamRepository("team.repository.add", "acme/builders", "acme/shed"),
  teamRepository("team.repository.add", "acme/keepers", "acme/site"),
  teamRepository("team.repository.add", "hush/rest", "hush/well"),
  teamRepository("team.repository.remove", "acme/builders", "acme/vault"),
  teamRepository("team.repository.remove", "hush/crew", "hush/well"),
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
