import { timeOf } from "@slipway/domain"
import type { Notice } from "@slipway/domain/forge/background"
import { numberIn } from "@slipway/domain/forge/entry"
import type { Activity } from "@slipway/domain/forge/events"
import type { Event, Person } from "@slipway/domain/forge/identity"
import { Notices } from "@slipway/forge/background"
import { Audit } from "@slipway/forge/identity"
import { DateTime, Effect } from "effect"
import { auditEndpoints } from "../../../api/forge/administration/audit.ts"
import { timeGiven } from "../base/queries.ts"
import { handle, mapRows } from "../entry/handle.ts"

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

const pushed = ({ after, ref }: Event["details"]): "commit_repo" | "delete_branch" | "delete_tag" | "push_tag" => {
  const isTag = typeof ref === "string" && ref.startsWith("refs/tags/")
  if (after === null) return isTag ? "delete_tag" : "delete_branch"
  return isTag ? "push_tag" : "commit_repo"
}

const operation = ({
  action,
  details
}: Event): ReturnType<typeof pushed> | "create_repo" | "edit_repo" | "rename_repo" => {
  if (action === "git.push") return pushed(details)
  if (action !== "repository.edit") return "create_repo"
  return typeof details.to === "string" ? "rename_repo" : "edit_repo"
}

const contentOf = (event: Event, { name, owner }: Activity["repository"]): string => {
  const { details } = event
  // A name that a repository had while it was hidden is nobody's business later.
  if (operation(event) === "rename_repo") return name
  if (operation(event) !== "commit_repo") return ""
  const compared = `${owner.name}/${name}/compare/${details.before}...${details.after}`
  return JSON.stringify({ Len: details.commits, CompareURL: details.before === null ? "" : compared })
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
  ref_name: event.action === "git.push" ? String(event.details.ref) : "",
  content: contentOf(event, repository),
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

const logFilter = ({ action, actor, since, until }: LogQuery): Audit.LogFilter => ({
  action,
  actor,
  since: timeGiven(since),
  until: timeGiven(until)
})

const dayOf = ({ date }: { readonly date?: string }): Audit.FeedTime => {
  if (date === undefined) return {}
  const since = DateTime.makeUnsafe(`${date}T00:00:00Z`)
  return { since: timeOf(since), until: timeOf(DateTime.add(since, { days: 1 })) }
}

/** The handlers of what happened. */
export const layerAudit = handle(auditEndpoints, {
  "admin.audit.list": ({ page, proof, query }) => mapRows(Audit.ofSite(proof, logFilter(query), page), showEvent),
  "organization.audit.list": ({ page, proof, query }) =>
    mapRows(Audit.ofOrganization(proof, logFilter(query), page), showEvent),
  "organization.feed.list": ({ page, proof, query }) =>
    mapRows(Audit.organizationFeed(proof, dayOf(query), page), showActivity),
  "team.feed.list": ({ page, proof, query }) => mapRows(Audit.teamFeed(proof, dayOf(query), page), showActivity),
  "repository.feed.list": ({ page, proof, query }) =>
    mapRows(Audit.repositoryFeed(proof, dayOf(query), page), showActivity),
  "user.heatmap": ({ proof }) =>
    Effect.map(Audit.heatmap(proof), (times) =>
      times.map(({ count, seconds }) => ({ timestamp: seconds, contributions: count }))
    ),
  "user.feed.list": ({ page, proof, query }) => mapRows(Audit.userFeed(proof, dayOf(query), page), showActivity),
  "admin.notice.list": ({ page, proof }) => mapRows(Notices.list(proof, page), showNotice),
  "admin.notice.remove": ({ params, proof }) => Notices.remove(proof, numberIn(params.id))
})
