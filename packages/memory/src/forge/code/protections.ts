import type { Duplicate } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type AllowedPeople,
  type BranchProtection,
  ProtectionStore,
  type TagProtection
} from "@slipway/domain/forge/code"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { pairKey, Tables } from "../base/tables.ts"

const noTeams = <P extends { readonly allowed: AllowedPeople }>(permitted: P): P => ({
  ...permitted,
  allowed: { ...permitted.allowed, teams: [] }
})

/** Stores the protection rules of branches and tags in memory. */
export const protectionStore = Layer.effect(
  ProtectionStore,
  Effect.map(
    Tables,
    ({ branchProtection, branchProtectionsOf, database, tagProtection, tagProtectionsOf, teamMember }) => {
      const branch = (snapshot: Snapshot, repository: RepositoryId, id: number) => {
        const row = branchProtection.get(snapshot, id)
        return row?.repositoryId === repository ? row : undefined
      }
      const tag = (snapshot: Snapshot, repository: RepositoryId, id: number) => {
        const row = tagProtection.get(snapshot, id)
        return row?.repositoryId === repository ? row : undefined
      }
      return {
        insertBranch: (row) =>
          database.write((snapshot) => branchProtection.insert(snapshot, row as Omit<BranchProtection, "id">)),
        insertBranches: (rows) =>
          database.write((snapshot) => Result.all(rows.map((row) => branchProtection.insert(snapshot, row)))),
        branchNamed: (repository, ruleName) =>
          database.read((snapshot) => branchProtection.find(snapshot, pairKey(repository, ruleName))),
        branches: (repository) =>
          database.read((snapshot) =>
            branchProtectionsOf
              .list(snapshot, String(repository))
              .toSorted((one, other) => one.priority - other.priority || one.id - other.id)
          ),
        replaceBranch: (row) =>
          database
            .write((snapshot) => {
              const present = branch(snapshot, row.repositoryId, row.id)
              return present === undefined
                ? Result.succeed(false)
                : branchProtection.replace(snapshot, { ...row, ruleName: present.ruleName })
            })
            .pipe(Effect.orDie),
        removeBranch: (repository, id) =>
          database
            .write((snapshot) =>
              branch(snapshot, repository, id) === undefined
                ? Result.succeed(false)
                : branchProtection.remove(snapshot, id)
            )
            .pipe(Effect.orDie),
        prioritise: (repository, ids) =>
          database
            .write((snapshot) =>
              Result.gen(function* () {
                for (const [at, id] of ids.entries()) {
                  const row = branch(snapshot, repository, id)
                  if (row !== undefined) yield* branchProtection.replace(snapshot, { ...row, priority: at + 1 })
                }
              })
            )
            .pipe(Effect.orDie),
        insertTag: (row) =>
          database.write((snapshot) => tagProtection.insert(snapshot, row as Omit<TagProtection, "id">)),
        tag: (repository, id) => database.read((snapshot) => tag(snapshot, repository, id)),
        tags: (repository) => database.read((snapshot) => tagProtectionsOf.list(snapshot, String(repository))),
        replaceTag: (row) =>
          database.write(
            (snapshot): Result.Result<boolean, Duplicate> =>
              tag(snapshot, row.repositoryId, row.id) === undefined
                ? Result.succeed(false)
                : tagProtection.replace(snapshot, row)
          ),
        withoutTeams: (repository) =>
          database
            .write((snapshot) =>
              Result.gen(function* () {
                for (const row of branchProtectionsOf.list(snapshot, String(repository))) {
                  const { approvals, forcePush, merge, push } = row
                  yield* branchProtection.replace(snapshot, {
                    ...row,
                    approvals: noTeams(approvals),
                    forcePush: noTeams(forcePush),
                    merge: noTeams(merge),
                    push: noTeams(push)
                  })
                }
                for (const row of tagProtectionsOf.list(snapshot, String(repository))) {
                  yield* tagProtection.replace(snapshot, noTeams(row))
                }
              })
            )
            .pipe(Effect.orDie),
        teamsAmong: (user, teams) =>
          database.read((snapshot) => teams.filter((id) => teamMember.find(snapshot, pairKey(id, user)) !== undefined)),
        teamsOfEach: (users, teams) =>
          database.read((snapshot) => {
            const found = users.map((user) => {
              const among = teams.filter((id) => teamMember.find(snapshot, pairKey(id, user)) !== undefined)
              return [user, among] as const
            })
            return new Map(found.filter(([, among]) => among.length > 0))
          }),
        removeTag: (repository, id) =>
          database
            .write((snapshot) =>
              tag(snapshot, repository, id) === undefined ? Result.succeed(false) : tagProtection.remove(snapshot, id)
            )
            .pipe(Effect.orDie)
      }
    }
  )
)
