import { Audit, Grants, Groups, Invitations, Roles, Teams } from "@slipway/deploy/administration"
import { Deployers, Explanations, Objects, Subjects } from "@slipway/deploy/entry"
import { builtInRoles } from "@slipway/domain/deploy/access"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type {
  AccountGroup,
  AccountUuid,
  AuditQuery,
  AuditRecord,
  Grant,
  Invitation,
  Role
} from "@slipway/domain/deploy/identity"
import { Effect, Layer, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { PeopleApi } from "../../../api/deploy/administration/people.ts"
import { eventStream, type StreamedEvent } from "../../wire/eventStream.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { showMember, showTeam } from "../apps/resources.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"
import { OpenStreams } from "../base/streams.ts"

class Api extends HttpApi.make("deploy").add(PeopleApi).prefix("/api/v1") {}

const showGrant = (grant: Grant) => ({
  ...stampsOf(grant),
  team_id: grant.teamId,
  account_uuid: grant.accountUuid as string | null,
  group_uuid: grant.groupUuid as string | null,
  place_type: grant.placeType,
  place_uuid: grant.placeUuid,
  role: grant.role ?? (grant.roleUuid as string)
})

const showInvitation = (invitation: Invitation) => ({
  ...stampsOf(invitation),
  team_id: invitation.teamId,
  account_uuid: invitation.accountUuid as string,
  place_type: invitation.placeType,
  place_uuid: invitation.placeUuid,
  role: invitation.role ?? (invitation.roleUuid as string),
  expires_at: invitation.expiresAt
})

const showGroup = (group: AccountGroup, members: ReadonlyArray<string>) => ({
  ...stampsOf(group),
  team_id: group.teamId,
  name: group.name,
  members
})

const showRole = ({ capabilities, name, uuid }: Role) => ({ uuid: uuid as string | null, name, capabilities })

const builtIn = Object.entries(builtInRoles).map(([name, capabilities]) => ({ uuid: null, name, capabilities }))

const showSubject = ({ account, ...decision }: Subjects.SubjectDecision) => ({
  account_uuid: account.uuid as string,
  name: account.name,
  ...decision
})

const showSubjects = (event: Subjects.SubjectEvent): StreamedEvent =>
  event._tag === "End"
    ? { event: "end", data: { reason: event.reason } }
    : {
        event: event._tag === "Decisions" ? "decisions" : "changes",
        data: { subjects: event.subjects.map(showSubject) }
      }

const showDeployer = ({ grants, isInstanceOwner, needsApproval, steps, ...deployer }: Deployers.Deployer) => ({
  ...deployer,
  needs_approval: needsApproval,
  is_instance_owner: isInstanceOwner,
  grants: grants.map(({ groupName, groupUuid, placeType, placeUuid, role, uuid }) => ({
    uuid: uuid as string,
    group_uuid: groupUuid as string | null,
    group_name: groupName,
    place_type: placeType,
    place_uuid: placeUuid,
    role
  })),
  steps
})

const showRecord = (record: AuditRecord) => ({
  id: record.id,
  team_id: record.teamId,
  at: record.at,
  outcome: record.outcome,
  action: record.action,
  account_uuid: record.accountUuid as string | null,
  token_uuid: record.tokenUuid,
  object: record.object,
  detail: record.detail
})

const batchSize = 500

/** Streams all audit records before a cursor as JSON Lines, newest first. */
const exported = Effect.fnUntraced(function* (
  proof: Authorized<"team.audit">,
  query: Pick<AuditQuery, "before" | "outcome">
) {
  const rows = Stream.paginate(query.before, (before: number | undefined) =>
    Effect.map(Audit.list(proof, { ...query, before, limit: batchSize }), (records) => [
      records,
      records.length < batchSize ? Option.none<number | undefined>() : Option.some(records.at(-1)?.id)
    ])
  )
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof Audit.list>>>()
  const lines = rows.pipe(
    Stream.map((record) => `${JSON.stringify(showRecord(record))}\n`),
    Stream.encodeText,
    Stream.provideContext(context)
  )
  return HttpServerResponse.stream(lines, { contentType: "application/jsonl" })
})

interface RoleBody {
  readonly place_type: Grant["placeType"]
  readonly place_uuid?: string | null
  readonly role: string
}

interface GrantBody extends RoleBody {
  readonly account_uuid?: AccountUuid | null
  readonly group_uuid?: string | null
}

const roleOf = ({ place_type, place_uuid = null, role }: RoleBody) => ({
  placeType: place_type,
  placeUuid: place_uuid,
  role
})

const grantOf = ({ account_uuid = null, group_uuid = null, ...body }: GrantBody) => ({
  ...roleOf(body),
  accountUuid: account_uuid,
  groupUuid: group_uuid
})

interface TeamBody {
  readonly name?: string
  readonly description?: string
  readonly token_days?: number | null
}

const teamOf = ({ token_days, ...rest }: TeamBody) => ({
  ...rest,
  ...(token_days === undefined ? {} : { tokenDays: token_days })
})

const removed = (message: string) => ({ message })

/** The handlers for the endpoints of teams, roles, grants, invitations, access explanations and the audit log. */
export const layerPeople = HttpApiBuilder.group(
  Api,
  "people",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* OpenStreams
    return handlers.handleAll({
      createTeam: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("team.create")
            const { description = "", name, token_days = null } = payload
            return showTeam(yield* Teams.create(proof, { name, description, tokenDays: token_days }), [])
          })
        ),
      updateTeam: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("team.update")
            return showTeam(yield* Teams.update(proof, teamOf(payload)), [])
          })
        ),
      deleteTeam: () =>
        toHttpErrors(
          Effect.gen(function* () {
            yield* Teams.remove(yield* granted("team.delete"))
            return removed("Team deleted.")
          })
        ),
      addMember: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return showMember(yield* Teams.addMember(yield* granted("team.member.add"), payload.account_uuid))
          })
        ),
      removeMember: ({ params }) =>
        toHttpErrors(
          Effect.gen(function* () {
            // A text that is not a uuid is no member.
            yield* Teams.removeMember(yield* granted("team.member.remove"), params.account as AccountUuid)
            return removed("Member removed.")
          })
        ),
      listInvitations: () =>
        Effect.gen(function* () {
          return (yield* Invitations.list(yield* granted("invitation.list"))).map(showInvitation)
        }),
      invite: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const invited = { ...roleOf(payload), accountUuid: payload.account_uuid }
            return showInvitation(yield* Invitations.create(yield* granted("invitation.create"), invited))
          })
        ),
      ownInvitations: () =>
        Effect.gen(function* () {
          return (yield* Invitations.own(yield* granted("invitation.own"))).map(showInvitation)
        }),
      acceptInvitation: () =>
        toHttpErrors(
          Effect.gen(function* () {
            return showGrant(yield* Invitations.accept(yield* granted("invitation.accept")))
          })
        ),
      deleteInvitation: () =>
        toHttpErrors(
          Effect.gen(function* () {
            yield* Invitations.remove(yield* granted("invitation.delete"))
            return removed("Invitation withdrawn.")
          })
        ),
      listGroups: () =>
        Effect.gen(function* () {
          const groups = yield* Groups.list(yield* granted("team.group.list"))
          return groups.map((group) => showGroup(group, group.members))
        }),
      createGroup: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return showGroup(yield* Groups.create(yield* granted("team.group.create"), payload), [])
          })
        ),
      updateGroup: ({ params, payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const group = yield* Groups.update(yield* granted("team.group.update"), params.group, payload)
            return showGroup(group, group.members)
          })
        ),
      deleteGroup: ({ params }) =>
        toHttpErrors(
          Effect.gen(function* () {
            yield* Groups.remove(yield* granted("team.group.delete"), params.group)
            return removed("Group deleted.")
          })
        ),
      addGroupMember: ({ params, payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("team.group.member.add")
            const group = yield* Groups.addMember(proof, params.group, payload.account_uuid)
            return showGroup(group, group.members)
          })
        ),
      removeGroupMember: ({ params }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("team.group.member.remove")
            // A text that is not a uuid is no member.
            yield* Groups.removeMember(proof, params.group, params.account as AccountUuid)
            return removed("Member removed.")
          })
        ),
      listRoles: () =>
        Effect.gen(function* () {
          return [...builtIn, ...(yield* Roles.list(yield* granted("role.list"))).map(showRole)]
        }),
      createRole: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return createdIn("/api/v1/roles", yield* Roles.create(yield* granted("role.create"), payload))
          })
        ),
      getRole: () => Effect.map(granted("role.read"), ({ resource }) => showRole(resource.role)),
      updateRole: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return showRole(yield* Roles.update(yield* granted("role.update"), payload))
          })
        ),
      deleteRole: () =>
        toHttpErrors(
          Effect.gen(function* () {
            yield* Roles.remove(yield* granted("role.delete"))
            return removed("Role deleted.")
          })
        ),
      listGrants: () =>
        Effect.gen(function* () {
          return (yield* Grants.list(yield* granted("grant.list"))).map(showGrant)
        }),
      createGrant: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return showGrant(yield* Grants.create(yield* granted("grant.create"), grantOf(payload)))
          })
        ),
      previewGrant: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return { gains: yield* Grants.preview(yield* granted("grant.create"), grantOf(payload)) }
          })
        ),
      getGrant: () => Effect.map(granted("grant.read"), ({ resource }) => showGrant(resource.grant)),
      deleteGrant: () =>
        toHttpErrors(
          Effect.gen(function* () {
            yield* Grants.remove(yield* granted("grant.delete"))
            return removed("Grant revoked.")
          })
        ),
      check: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return yield* Explanations.check(yield* granted("access.check"), payload.checks)
          })
        ),
      explain: ({ query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return yield* Explanations.explain(yield* granted("access.explain"), query)
          })
        ),
      objects: ({ query: { account_uuid, limit = 100, ...query } }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return yield* Objects.list(yield* granted("access.objects"), { ...query, account: account_uuid, limit })
          })
        ),
      subjects: ({ query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            return (yield* Subjects.list(yield* granted("access.subjects"), query)).map(showSubject)
          })
        ),
      followSubjects: ({ query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("access.watch")
            yield* streams.enter("team", String(proof.resource.team.id))
            const events = yield* Subjects.watch(proof, query)
            return yield* eventStream(Stream.map(events, showSubjects))
          })
        ),
      applicationDeployers: () =>
        Effect.gen(function* () {
          return (yield* Deployers.ofApplication(yield* granted("application.deployer.list"))).map(showDeployer)
        }),
      environmentDeployers: () =>
        Effect.gen(function* () {
          return (yield* Deployers.ofEnvironment(yield* granted("environment.deployer.list"))).map(showDeployer)
        }),
      audit: ({ query: { before, format, limit = 100, outcome } }) =>
        Effect.gen(function* () {
          const proof = yield* granted("team.audit")
          if (format === "jsonl") return yield* exported(proof, { before, outcome })
          return (yield* Audit.list(proof, { before, outcome, limit })).map(showRecord)
        })
    })
  })
).pipe(Layer.provide(OpenStreams.layer))
