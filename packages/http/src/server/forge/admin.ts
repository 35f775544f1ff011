import { AdminUsers, Emails, Organizations } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { AdminApi } from "../../api/forge/admin.ts"
import { withoutNulls } from "../../api/forge/schemas.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { organizationNames } from "./organizations.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showEmail, showOrganizationTo, showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(AdminApi).prefix("/api/v1") {}

/** What the wire calls otherwise than the domain. */
const names = {
  username: "name",
  full_name: "fullName",
  login_name: "loginName",
  source_id: "sourceId",
  must_change_password: "mustChangePassword",
  prohibit_login: "prohibited",
  allow_create_organization: "mayCreateOrganizations",
  allow_git_hook: "mayEditGitHooks",
  allow_import_local: "mayImportLocal",
  max_repo_creation: "maxRepositories",
  created_at: "createdAt"
} as const

/** The handlers of the site's administrators. */
export const layerAdmin = HttpApiBuilder.group(Api, "admin", (handlers) =>
  handlers.handleAll({
    users: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.user.list")
        const show = yield* showUserTo(proof.resource.actor)
        const filter = { sourceId: query.source_id, loginName: query.login_name }
        return yield* answerPage(query, (page) => AdminUsers.list(proof, filter, page), show)
      }),
    createUser: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("admin.user.create")
          const show = yield* showUserTo(proof.resource.actor)
          const user = yield* AdminUsers.create(proof, renameFields(withoutNulls(payload), names))
          return show({ ...user, followers: 0, following: 0 })
        })
      ),
    editUser: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("admin.user.edit")
          const show = yield* showUserTo(proof.resource.actor)
          return show(yield* AdminUsers.edit(proof, params.username, renameFields(withoutNulls(payload), names)))
        })
      ),
    deleteUser: ({ params }) =>
      toHttpErrors(Effect.flatMap(granted("admin.user.delete"), (proof) => AdminUsers.remove(proof, params.username))),
    renameUser: ({ params, payload }) =>
      toHttpErrors(
        Effect.flatMap(granted("admin.user.rename"), (proof) =>
          AdminUsers.rename(proof, params.username, payload.new_username)
        )
      ),
    emails: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.email.list")
        return yield* answerPage(query, (page) => Emails.listAll(proof, page), showEmail)
      }),
    searchEmails: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.email.search")
        return yield* answerPage(query, (page) => Emails.searchAll(proof, query.q ?? "", page), showEmail)
      }),
    organizations: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.organization.list")
        const show = yield* showOrganizationTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Organizations.listAll(proof, page), show)
      }),
    userOrganizations: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("admin.user.organization.list")
          const show = yield* showOrganizationTo(proof.resource.actor)
          return yield* answerPage(query, (page) => Organizations.ofAnyUser(proof, params.username, page), show)
        })
      ),
    createOrganization: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("admin.user.organization.create")
          const show = yield* showOrganizationTo(proof.resource.actor)
          const input = renameFields(withoutNulls(payload), organizationNames)
          return show(yield* Organizations.createFor(proof, params.username, input))
        })
      )
  })
)
