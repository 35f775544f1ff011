import type { PageRequest } from "@slipway/domain"
import { Organizations, WouldChange } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { OrganizationsApi } from "../../api/forge/organizations.ts"
import { saidIn } from "../../api/forge/schemas.ts"
import { orDryRun } from "./dryRun.ts"
import { onTheWire } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renamed, showOrganizationTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(OrganizationsApi).prefix("/api/v1") {}

/** What the wire calls otherwise than the domain. */
export const organizationNames = {
  username: "name",
  full_name: "fullName",
  repo_admin_change_team_access: "repoAdminChangeTeamAccess"
} as const

/** The handlers of organizations. */
export const layerOrganizations = HttpApiBuilder.group(Api, "organizations", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.list")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Organizations.list(proof, page), show)
      }),
    create: ({ payload }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.create")
          const show = yield* showOrganizationTo(proof.resource.actor)
          return show(yield* Organizations.create(proof, renamed(saidIn(payload), organizationNames)))
        })
      ),
    read: () =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.read")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return show(Organizations.read(proof))
      }),
    edit: ({ payload, query }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.edit")
          const show = yield* showOrganizationTo(proof.resource.actor)
          const edit = Organizations.edit(proof, renamed(saidIn(payload), organizationNames))
          const preview = (page: PageRequest) => WouldChange.ofOrganization(proof, edit, page)
          return yield* orDryRun(query, preview, Effect.map(edit, show))
        })
      ),
    delete: () => onTheWire(Effect.flatMap(granted("organization.delete"), Organizations.remove)),
    rename: ({ payload }) =>
      onTheWire(
        Effect.flatMap(granted("organization.rename"), (proof) => Organizations.rename(proof, payload.new_name))
      ),
    ofCaller: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.organization.list")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Organizations.ofSelf(proof, page), show)
      }),
    ofUser: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.organization.list")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Organizations.ofUser(proof, page), show)
      }),
    permissions: () =>
      Effect.gen(function* () {
        const proof = yield* granted("user.organization.permissions")
        const { canCreateRepository, canRead, canWrite, isAdmin, isOwner } = yield* Organizations.permissions(proof)
        return {
          can_read: canRead,
          can_write: canWrite,
          is_admin: isAdmin,
          is_owner: isOwner,
          can_create_repository: canCreateRepository
        }
      })
  })
)
