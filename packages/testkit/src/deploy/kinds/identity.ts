import type { Kind } from "@slipway/domain/deploy"
import { ProjectStore } from "@slipway/domain/deploy/apps"
import {
  AccountStore,
  GrantStore,
  GroupStore,
  InvitationStore,
  RoleStore,
  TokenStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { moment, newAccount, newProject, newToken, uuidOf } from "../builders.ts"
import { newGrant, newGroup, newInvitation, newRole } from "../people.ts"
import { type AnyKind, kindOf } from "../recipe.ts"

import { later, nothing } from "./parts.ts"

const aProject = Effect.flatMap(ProjectStore, (store) => store.insert(newProject(1)))
const anAccount = Effect.flatMap(AccountStore, (store) => store.insert(newAccount(1)))
const anAccountAndPlace = Effect.gen(function* () {
  const account = yield* anAccount
  const project = yield* aProject
  const role = yield* (yield* RoleStore).insert(newRole(1))
  return { account, project, role }
})

/** Functions that make test rows of accounts, roles and tokens. */
export const identityKinds = {
  account: kindOf(AccountStore, {
    world: nothing,
    full: (n) => newAccount(n, { isRoot: true, isDisabled: true, lastSignInAt: moment(n) }),
    bare: (n) => newAccount(n, { email: null }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        email: "another@example.com",
        isRoot: !row.isRoot,
        isDisabled: !row.isDisabled,
        lastSignInAt: moment(78)
      }),
    say: (row, text) => ({ ...row, name: text, email: text })
  }),
  accountGroup: kindOf(GroupStore, {
    world: nothing,
    full: (n) => newGroup(n),
    bare: (n) => newGroup(n),
    change: (row) => later({ ...row, name: "another" }),
    say: (row, text) => ({ ...row, name: text })
  }),
  role: kindOf(RoleStore, {
    world: nothing,
    full: (n) => newRole(n),
    bare: (n) => newRole(n, { capabilities: [] }),
    change: (row) => later({ ...row, name: "another", capabilities: ["members"] }),
    say: (row, text) => ({ ...row, name: text })
  }),
  roleGrant: kindOf(GrantStore, {
    world: anAccountAndPlace,
    full: (n, { account, project, role }) =>
      newGrant(n, account, { placeType: "project", placeUuid: project.uuid, role: null, roleUuid: role.uuid }),
    bare: (n, { account }) => newGrant(n, account),
    change: (row) => later({ ...row, placeType: "team", placeUuid: null, role: "admin", roleUuid: null }),
    say: (row) => row
  }),
  invitation: kindOf(InvitationStore, {
    world: anAccountAndPlace,
    full: (n, { account, project, role }) =>
      newInvitation(n, account, { placeType: "project", placeUuid: project.uuid, role: null, roleUuid: role.uuid }),
    bare: (n, { account }) => newInvitation(n, account),
    change: (row) =>
      later({ ...row, placeType: "team", placeUuid: null, role: "admin", roleUuid: null, expiresAt: moment(500) }),
    say: (row) => row
  }),
  token: kindOf(TokenStore, {
    world: anAccount,
    full: (n, account) =>
      newToken(n, {
        accountUuid: account.uuid,
        projects: [uuidOf("project", 1)],
        abilities: ["read:sensitive", "deploy"],
        expiresAt: moment(n + 5),
        lastUsedAt: moment(n)
      }),
    bare: (n) => newToken(n, { abilities: [] }),
    change: (row) =>
      later({
        ...row,
        name: "another",
        abilities: ["root"],
        hash: "f".repeat(64),
        expiresAt: moment(77),
        lastUsedAt: moment(78)
      }),
    say: (row, text) => ({ ...row, name: text })
  })
} satisfies Partial<Record<Kind, AnyKind>>
