import { type Activity, Audit, type Event, type Notice, Notices, type Person } from "@slipway/domain/forge"
import { DateTime, Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { AuditApi } from "../../api/forge/audit.ts"
import { noContentOr404 } from "./answers.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"

class Api extends HttpApi.make("forge").add(AuditApi).prefix("/api/v1") {}

const showPerson = (person: Person | null) => (person === null ? null : { id: person.id, login: person.name })

const showEvent = (event: Event) => ({
  id: event.id,
  created: event.at,
  action: event.action,
  outcome: event.outcome,
  refused_by: event.refusedBy,
  actor: showPerson(event.actor),
  signed_in_as: showPerson(event.signedInAs),
  credential: event.signedInWith.kind,
  token: event.signedInWith.kind === "token" ? { id: event.signedInWith.id, name: event.signedInWith.name } : null,
  address: event.address,
  subject: event.subject,
  details: event.details
})

const operation = ({ action, details }: Event) => {
  if (action !== "repository.edit") return "create_repo"
  return typeof details.to === "string" ? "rename_repo" : "edit_repo"
}

const showActivity = ({ event, person, repository }: Activity) => ({
  id: event.id,
  op_type: operation(event),
  act_user_id: person?.id ?? null,
  act_user: showPerson(person ?? null),
  repo_id: repository.id,
  repo: {
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner.name}/${repository.name}`,
    private: repository.private
  },
  // A name that a repository had while it was hidden is nobody's business later.
  content: operation(event) === "rename_repo" ? repository.name : "",
  is_private: repository.private,
  created: event.at
})

const showNotice = ({ createdAt, id, text }: Notice) => ({ id, description: text, created: createdAt })

interface LogQuery {
  readonly actor?: string
  readonly action?: string
  readonly since?: string
  readonly until?: string
}

const moment = (text: string | undefined) =>
  text === undefined ? undefined : DateTime.formatIso(DateTime.makeUnsafe(text))

const logFilter = ({ action, actor, since, until }: LogQuery): Audit.LogFilter => ({
  action,
  actor,
  since: moment(since),
  until: moment(until)
})

const timeOf = ({ date }: { readonly date?: string }): Audit.FeedTime => {
  if (date === undefined) return {}
  const since = DateTime.makeUnsafe(`${date}T00:00:00Z`)
  return { since: DateTime.formatIso(since), until: DateTime.formatIso(DateTime.add(since, { days: 1 })) }
}

/** The handlers of what happened. */
export const layerAudit = HttpApiBuilder.group(Api, "audit", (handlers) =>
  handlers.handleAll({
    ofSite: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.audit.list")
        return yield* answerPage(query, (page) => Audit.ofSite(proof, logFilter(query), page), showEvent)
      }),
    ofOrganization: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.audit.list")
        return yield* answerPage(query, (page) => Audit.ofOrganization(proof, logFilter(query), page), showEvent)
      }),
    organizationFeed: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.feed.list")
        return yield* answerPage(query, (page) => Audit.organizationFeed(proof, timeOf(query), page), showActivity)
      }),
    teamFeed: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("team.feed.list")
        return yield* answerPage(query, (page) => Audit.teamFeed(proof, timeOf(query), page), showActivity)
      }),
    userFeed: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.feed.list")
        return yield* answerPage(query, (page) => Audit.userFeed(proof, timeOf(query), page), showActivity)
      }),
    notices: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("admin.notice.list")
        return yield* answerPage(query, (page) => Notices.list(proof, page), showNotice)
      }),
    removeNotice: ({ params }) =>
      noContentOr404(
        Effect.flatMap(granted("admin.notice.remove"), (proof) => Notices.remove(proof, Number(params.id)))
      )
  })
)
