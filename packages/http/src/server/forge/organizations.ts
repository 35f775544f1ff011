import type { PageRequest } from "@slipway/domain"
import { AccessPreview, Organizations } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { OrganizationsApi } from "../../api/forge/organizations.ts"
import { withoutNulls } from "../../api/forge/schemas.ts"
import { orDryRun } from "./dryRun.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showOrganizationTo } from "./show.ts"

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
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.create")
          const show = yield* showOrganizationTo(proof.resource.actor)
          return show(yield* Organizations.create(proof, renameFields(withoutNulls(payload), organizationNames)))
        })
      ),
    read: () =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.read")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return show(Organizations.read(proof))
      }),
    edit: ({ payload, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.edit")
          const show = yield* showOrganizationTo(proof.resource.actor)
          const edit = Organizations.edit(proof, renameFields(withoutNulls(payload), organizationNames))
          const preview = (page: PageRequest) => AccessPreview.ofOrganization(proof, edit, page)
          return yield* orDryRun(query, preview, Effect.map(edit, show))
        })
      ),
    delete: () => toHttpErrors(Effect.flatMap(granted("organization.delete"), Organizations.remove)),
    rename: ({ payload }) =>
      toHttpErrors(
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
