import { builtInRoles, CapabilityName, mostChecks } from "@slipway/domain/deploy/access"
import { AccountUuid, grantPlaces } from "@slipway/domain/deploy/identity"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Member, Team } from "../apps/resources.ts"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody, TooManyRequestsBody } from "../base/errors.ts"
import { count, createdAnswer, Description, Message, Name, whole } from "../base/schemas.ts"
import {
  AccessAnswer,
  AccessEvents,
  AccessExplanation,
  AccessObject,
  AccessSubject,
  AccountGroup,
  AuditRecord,
  Deployer,
  Grant,
  Invitation,
  Role
} from "./peopleSchemas.ts"

const checkQuery = { action: Schema.String, object: Schema.optionalKey(Schema.String) }

const roleName = Schema.String.check(Schema.isMinLength(1, { message: "Must not be empty." })).annotate({
  description: `${Object.keys(builtInRoles).join(", ")}, or the name or UUID of a custom role.`
})

const roleOn = {
  place_type: Schema.Literals(grantPlaces),
  place_uuid: Schema.optionalKey(Schema.NullOr(Schema.String)),
  role: roleName
}
const invitationInput = Schema.Struct({ account_uuid: AccountUuid, ...roleOn })
const grantInput = Schema.Struct({
  account_uuid: Schema.optionalKey(Schema.NullOr(AccountUuid)),
  group_uuid: Schema.optionalKey(Schema.NullOr(Schema.String)),
  ...roleOn
})

const days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 }))
const roleFields = { name: Name, capabilities: Schema.Array(CapabilityName).check(Schema.isMaxLength(50)) }
const checked = Schema.Struct({ action: Schema.String, object: Schema.optionalKey(Schema.String) })
const id = { id: Schema.String }
const inGroup = { ...id, group: Schema.String }
const notFound = [NotFoundBody] as const
const changeErrors = [...bodyErrors, NotFoundBody, ConflictBody] as const

/** The endpoints of teams, roles, grants, invitations, explanations and the audit log. */
export class PeopleApi extends HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.post("createTeam", "/teams", {
      payload: Schema.Struct({
        name: Name,
        description: Schema.optionalKey(Description),
        token_days: Schema.optionalKey(Schema.NullOr(days))
      }),
      success: Team.pipe(HttpApiSchema.status(201)),
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Create a team")
      .pipe(access("team.create")),
    HttpApiEndpoint.patch("updateTeam", "/teams/:id", {
      params: id,
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        description: Schema.optionalKey(Description),
        token_days: Schema.optionalKey(Schema.NullOr(days))
      }),
      success: Team,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a team, or the maximum lifetime of its tokens")
      .pipe(access("team.update")),
    HttpApiEndpoint.delete("deleteTeam", "/teams/:id", {
      params: id,
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Delete a team without resources")
      .pipe(access("team.delete")),
    HttpApiEndpoint.post("addMember", "/teams/:id/members", {
      params: id,
      payload: Schema.Struct({ account_uuid: AccountUuid }),
      success: Member.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Add an account to a team without an invitation")
      .pipe(access("team.member.add")),
    HttpApiEndpoint.delete("removeMember", "/teams/:id/members/:account", {
      params: { ...id, account: Schema.String },
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Remove a member with its grants and tokens from a team")
      .pipe(access("team.member.remove")),
    HttpApiEndpoint.get("listInvitations", "/teams/:id/invitations", {
      params: id,
      success: Schema.Array(Invitation),
      error: notFound
    })
      .annotate(OpenApi.Summary, "List the open invitations to a team")
      .pipe(access("invitation.list")),
    HttpApiEndpoint.post("invite", "/teams/:id/invitations", {
      params: id,
      payload: invitationInput,
      success: Invitation.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Invite an account to a team with a role")
      .pipe(access("invitation.create")),
    HttpApiEndpoint.get("ownInvitations", "/invitations", { success: Schema.Array(Invitation) })
      .annotate(OpenApi.Summary, "List the open invitations of the account of the token in use")
      .pipe(access("invitation.own")),
    HttpApiEndpoint.post("acceptInvitation", "/invitations/:invitation/accept", {
      params: { invitation: Schema.String },
      success: Grant,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Accept an invitation; only its account can, once")
      .pipe(access("invitation.accept")),
    HttpApiEndpoint.delete("deleteInvitation", "/invitations/:invitation", {
      params: { invitation: Schema.String },
      success: Message,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Withdraw an invitation")
      .pipe(access("invitation.delete")),
    HttpApiEndpoint.get("listGroups", "/teams/:id/groups", {
      params: id,
      success: Schema.Array(AccountGroup),
      error: notFound
    })
      .annotate(OpenApi.Summary, "List the groups of a team with their members")
      .pipe(access("team.group.list")),
    HttpApiEndpoint.post("createGroup", "/teams/:id/groups", {
      params: id,
      payload: Schema.Struct({ name: Name }),
      success: AccountGroup.pipe(HttpApiSchema.status(201)),
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Create a group of accounts")
      .pipe(access("team.group.create")),
    HttpApiEndpoint.patch("updateGroup", "/teams/:id/groups/:group", {
      params: inGroup,
      payload: Schema.Struct({ name: Schema.optionalKey(Name) }),
      success: AccountGroup,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Rename a group")
      .pipe(access("team.group.update")),
    HttpApiEndpoint.delete("deleteGroup", "/teams/:id/groups/:group", {
      params: inGroup,
      success: Message,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Delete a group with its grants")
      .pipe(access("team.group.delete")),
    HttpApiEndpoint.post("addGroupMember", "/teams/:id/groups/:group/members", {
      params: inGroup,
      payload: Schema.Struct({ account_uuid: AccountUuid }),
      success: AccountGroup.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Add a member of the team to a group")
      .pipe(access("team.group.member.add")),
    HttpApiEndpoint.delete("removeGroupMember", "/teams/:id/groups/:group/members/:account", {
      params: { ...inGroup, account: Schema.String },
      success: Message,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Remove a member from a group")
      .pipe(access("team.group.member.remove")),
    HttpApiEndpoint.get("listRoles", "/roles", { success: Schema.Array(Role), error: notFound })
      .annotate(OpenApi.Summary, "List the built-in roles and those of the team")
      .pipe(access("role.list")),
    HttpApiEndpoint.post("createRole", "/roles", {
      payload: Schema.Struct(roleFields),
      success: createdAnswer,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Create a custom role of the team")
      .pipe(access("role.create")),
    HttpApiEndpoint.get("getRole", "/roles/:role", { params: { role: Schema.String }, success: Role, error: notFound })
      .annotate(OpenApi.Summary, "Read a custom role")
      .pipe(access("role.read")),
    HttpApiEndpoint.patch("updateRole", "/roles/:role", {
      params: { role: Schema.String },
      payload: Schema.Struct({
        name: Schema.optionalKey(roleFields.name),
        capabilities: Schema.optionalKey(roleFields.capabilities)
      }),
      success: Role,
      error: changeErrors
    })
      .annotate(OpenApi.Summary, "Change a custom role")
      .pipe(access("role.update")),
    HttpApiEndpoint.delete("deleteRole", "/roles/:role", {
      params: { role: Schema.String },
      success: Message,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Delete a custom role with its grants")
      .pipe(access("role.delete")),
    HttpApiEndpoint.get("listGrants", "/grants", { success: Schema.Array(Grant), error: notFound })
      .annotate(OpenApi.Summary, "List the grants of the team")
      .pipe(access("grant.list")),
    HttpApiEndpoint.post("createGrant", "/grants", {
      payload: grantInput,
      success: Grant.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Grant a member or a group of the team a role on a place")
      .pipe(access("grant.create")),
    HttpApiEndpoint.post("previewGrant", "/access/preview", {
      payload: grantInput,
      success: Schema.Struct({ gains: Schema.Array(Schema.String) }),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the actions that a grant would add on its place; changes nothing")
      .pipe(access("grant.create")),
    HttpApiEndpoint.get("getGrant", "/grants/:grant", {
      params: { grant: Schema.String },
      success: Grant,
      error: notFound
    })
      .annotate(OpenApi.Summary, "Read a grant")
      .pipe(access("grant.read")),
    HttpApiEndpoint.delete("deleteGrant", "/grants/:grant", {
      params: { grant: Schema.String },
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Revoke a grant")
      .pipe(access("grant.delete")),
    HttpApiEndpoint.post("check", "/access/check", {
      payload: Schema.Struct({
        checks: Schema.Array(checked).check(
          Schema.isMinLength(1, { message: "Must have at least one entry." }),
          Schema.isMaxLength(mostChecks, { message: `Must have at most ${mostChecks} entries.` })
        )
      }),
      success: Schema.Array(AccessAnswer),
      error: bodyErrors
    })
      .annotate(OpenApi.Summary, "Check up to 200 actions of the token in use")
      .pipe(access("access.check")),
    HttpApiEndpoint.get("explain", "/access/explain", {
      query: checkQuery,
      success: AccessExplanation,
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "Explain the decision on an action of the token in use")
      .pipe(access("access.explain")),
    HttpApiEndpoint.get("objects", "/access/objects", {
      query: {
        action: Schema.String,
        account_uuid: Schema.optionalKey(AccountUuid),
        after: Schema.optionalKey(count),
        limit: Schema.optionalKey(whole(1, 1_000))
      },
      success: Schema.Array(AccessObject),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List the objects on which the token in use, or a member, may perform an action")
      .annotate(OpenApi.Description, "`after` is the `id` of the last object of the previous page.")
      .pipe(access("access.objects")),
    HttpApiEndpoint.get("subjects", "/access/subjects", {
      query: checkQuery,
      success: Schema.Array(AccessSubject),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the members of the team, each with whether the member may perform an action")
      .pipe(access("access.subjects")),
    HttpApiEndpoint.get("followSubjects", "/access/subjects/stream", {
      query: checkQuery,
      success: AccessEvents,
      error: [BadRequestBody, NotFoundBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Follow which members of the team may perform an action")
      .annotate(OpenApi.Description, "Server-sent events; close the connection on `end`, or a browser reconnects.")
      .pipe(access("access.watch")),
    HttpApiEndpoint.get("applicationDeployers", "/applications/:uuid/deployers", {
      params: { uuid: Schema.String },
      success: Schema.Array(Deployer),
      error: notFound
    })
      .annotate(OpenApi.Summary, "List the accounts and tokens that may deploy an application, and why")
      .pipe(access("application.deployer.list")),
    HttpApiEndpoint.get("environmentDeployers", "/projects/:uuid/environments/:environment/deployers", {
      params: { uuid: Schema.String, environment: Schema.String },
      success: Schema.Array(Deployer),
      error: notFound
    })
      .annotate(OpenApi.Summary, "List the accounts and tokens that may deploy to a whole environment, and why")
      .pipe(access("environment.deployer.list")),
    HttpApiEndpoint.get("audit", "/audit", {
      query: {
        before: Schema.optionalKey(count),
        outcome: Schema.optionalKey(Schema.Literals(["done", "denied"])),
        limit: Schema.optionalKey(whole(1, 1_000)),
        format: Schema.optionalKey(Schema.Literals(["json", "jsonl"]))
      },
      success: Schema.Array(AuditRecord),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the audit log of the team, the newest first; all of it as JSON Lines")
      .pipe(access("team.audit"))
  )
  .annotate(OpenApi.Description, "Teams, roles, grants, invitations, explanations and the audit log.") {}
