import { timeOf } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { IssueOrder } from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import { RepositoryLabels } from "@slipway/forge/code"
import {
  Assignees,
  Dependencies,
  IssueComments,
  IssueLabels,
  Issues,
  Milestones,
  Pins
} from "@slipway/forge/collaboration"
import { Effect } from "effect"
import type { BodyOf as Said } from "../../../api/forge/base/endpoints.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import {
  assigneeEndpoints,
  type CreateIssueOption,
  commentEndpoints,
  type EditIssueOption,
  issueEndpoints,
  repositoryLabelEndpoints
} from "../../../api/forge/collaboration/issues.ts"
import { milestoneEndpoints, ownMilestoneEndpoints } from "../../../api/forge/collaboration/milestones.ts"
import { nonEmpty, period } from "../base/queries.ts"
import { renameFields, showUserTo } from "../base/show.ts"
import { handle, shown, shownOne } from "../entry/handle.ts"
import {
  showCommentTo,
  showIssueTo,
  showLabelIn,
  showMilestoneTo,
  showPlacedMilestone,
  showTimelineTo
} from "./showIssue.ts"

interface Filters {
  readonly state?: "open" | "closed" | "all"
  readonly type?: "all" | "issues" | "pulls"
  readonly q?: string
  readonly labels?: string
  readonly milestones?: string
  readonly since?: string
  readonly before?: string
  readonly created_by?: string
  readonly assigned_by?: string
  readonly mentioned_by?: string
  readonly sort?: IssueOrder
}

const parts = (text = ""): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const some = (names: ReadonlyArray<string>) => (names.length === 0 ? undefined : names)

const stateIn = (state: Filters["state"] = "open") => (state === "all" ? undefined : state)

const searchOf = (query: Filters): Issues.IssueSearch => {
  const labels = parts(query.labels)
  return {
    state: stateIn(query.state),
    pull: query.type === undefined || query.type === "all" ? undefined : query.type === "pulls",
    text: nonEmpty(query.q),
    labels: some(labels.filter((name) => !name.startsWith("-"))),
    withoutLabels: some(labels.filter((name) => name.startsWith("-")).map((name) => name.slice(1))),
    milestones: some(parts(query.milestones)),
    ...period(query),
    createdBy: nonEmpty(query.created_by),
    assignedBy: nonEmpty(query.assigned_by),
    mentionedBy: nonEmpty(query.mentioned_by)
  }
}

const people = ({
  assignee,
  assignees
}: {
  readonly assignee?: string
  readonly assignees?: ReadonlyArray<string>
}) => {
  const names = [...(assignees ?? []), ...(nonEmpty(assignee) === undefined ? [] : [assignee as string])]
  return assignees === undefined && nonEmpty(assignee) === undefined ? {} : { assignees: [...new Set(names)] }
}

const newIssue = ({ assignee: _, assignees: __, due_date, ...said }: Said<typeof CreateIssueOption>) => ({
  ...said,
  ...(due_date === undefined ? {} : { dueAt: timeOf(due_date) })
})

const changeOf = ({ assignee, assignees, due_date, unset_due_date, ...said }: Said<typeof EditIssueOption>) => ({
  ...renameFields(said, { content_version: "contentVersion" }),
  ...people({ ...(assignee === undefined ? {} : { assignee }), ...(assignees === undefined ? {} : { assignees }) }),
  ...(unset_due_date === true ? { dueAt: null } : due_date === undefined ? {} : { dueAt: timeOf(due_date) })
})

const meant = ({ index, owner, repo }: { readonly index: number; readonly owner: string; readonly repo: string }) => ({
  index,
  owner,
  name: repo
})

/** The handlers of issues. */
export const layerIssues = handle(
  issueEndpoints,
  {
    "issue.search": ({ page, proof, query }) =>
      Issues.search(
        proof,
        {
          ...searchOf(query),
          owner: nonEmpty(query.owner),
          team: nonEmpty(query.team),
          assigned: isYes(query.assigned),
          created: isYes(query.created),
          mentioned: isYes(query.mentioned),
          reviewed: isYes(query.reviewed),
          reviewRequested: isYes(query.review_requested),
          first: query.priority_repo_id as RepositoryId | undefined
        },
        query.sort ?? "newest",
        page
      ),
    "issue.list": ({ page, proof, query }) => Issues.list(proof, searchOf(query), query.sort ?? "newest", page),
    "issue.create": ({ body, proof }) => Issues.create(proof, { ...newIssue(body), ...people(body) }),
    "issue.list-pinned": ({ proof }) => Issues.listPinned(proof),
    "issue.read": ({ proof }) => Issues.read(proof),
    "issue.edit": ({ body, proof }) => Issues.edit(proof, changeOf(body)),
    "issue.delete": ({ proof }) => Issues.remove(proof),
    "issue.deadline.set": ({ body, proof }) =>
      shownOne(Issues.setDeadline(proof, body.due_date === undefined ? null : timeOf(body.due_date)), ({ dueAt }) => ({
        due_date: dueAt
      })),
    "issue.assignee.add": ({ body, proof }) => Assignees.add(proof, body.assignees),
    "issue.assignee.remove": ({ body, proof }) => Assignees.remove(proof, body.assignees),
    "issue.assignee.check": ({ params, proof }) => Assignees.check(proof, params.assignee),
    "issue.dependency.list": ({ page, proof }) => Dependencies.list(proof, page),
    "issue.dependency.add": ({ body, proof }) => Dependencies.add(proof, meant(body)),
    "issue.dependency.remove": ({ body, proof }) => Dependencies.remove(proof, meant(body)),
    "issue.block.list": ({ page, proof }) => Dependencies.listBlocked(proof, page),
    "issue.block.add": ({ body, proof }) => Dependencies.addBlock(proof, meant(body)),
    "issue.block.remove": ({ body, proof }) => Dependencies.removeBlock(proof, meant(body)),
    "issue.pin": ({ proof }) => Pins.pin(proof),
    "issue.unpin": ({ proof }) => Pins.unpin(proof),
    "issue.pin.move": ({ params, proof }) => Pins.move(proof, numberIn(params.position)),
    "issue.lock": ({ body, proof }) => Issues.lock(proof, body.lock_reason ?? ""),
    "issue.unlock": ({ proof }) => Issues.unlock(proof),
    "repository.pin.allowed": ({ proof }) =>
      Effect.map(Pins.canPin(proof), ({ issues, pulls }) => shown({ issues, pull_requests: pulls }))
  },
  { showTo: showIssueTo }
)

const editOf = ({ body, content_version }: { readonly body: string; readonly content_version?: number }) => ({
  body,
  contentVersion: content_version
})

/** The handlers of comments and timelines. */
export const layerComments = handle(
  commentEndpoints,
  {
    "issue.comment.list-all": ({ page, proof, query }) => IssueComments.listAll(proof, period(query), page),
    "issue.comment.list": ({ page, proof, query }) => IssueComments.list(proof, period(query), page),
    "issue.comment.create": ({ body, proof }) => IssueComments.create(proof, body.body),
    "issue.comment.read": ({ proof }) => IssueComments.read(proof),
    "issue.comment.edit": ({ body, proof }) => IssueComments.edit(proof, editOf(body)),
    "issue.comment.delete": ({ proof }) => IssueComments.remove(proof),
    "issue.comment.edit-deprecated": ({ body, params, proof }) =>
      IssueComments.editBelow(proof, editOf(body), numberIn(params.index)),
    "issue.comment.delete-deprecated": ({ params, proof }) => IssueComments.removeBelow(proof, numberIn(params.index)),
    "issue.timeline.list": ({ page, proof, query }) =>
      Effect.gen(function* () {
        const show = yield* showTimelineTo(proof.resource)
        const found = yield* IssueComments.timeline(proof, period(query), page)
        return shown({ ...found, rows: found.rows.map(show) })
      })
  },
  { showTo: showCommentTo }
)

const labelNames = { is_archived: "archived" } as const

/** The handlers of the labels of repositories and of issues. */
export const layerRepositoryLabels = handle(
  repositoryLabelEndpoints,
  {
    "label.list": ({ page, proof }) => RepositoryLabels.list(proof, page),
    "label.create": ({ body, proof }) => RepositoryLabels.create(proof, renameFields(body, labelNames)),
    "label.read": ({ params, proof }) => RepositoryLabels.read(proof, numberIn(params.id)),
    "label.edit": ({ body, params, proof }) =>
      RepositoryLabels.edit(proof, numberIn(params.id), renameFields(body, labelNames)),
    "label.delete": ({ params, proof }) => RepositoryLabels.remove(proof, numberIn(params.id)),
    "issue.label.list": ({ proof }) => IssueLabels.list(proof),
    "issue.label.add": ({ body, proof }) => IssueLabels.add(proof, body.labels),
    "issue.label.replace": ({ body, proof }) => IssueLabels.replace(proof, body.labels),
    "issue.label.clear": ({ proof }) => IssueLabels.clear(proof),
    "issue.label.remove": ({ params, proof }) => IssueLabels.remove(proof, numberIn(params.id))
  },
  { showTo: showLabelIn }
)

const milestoneOf = <Body extends { readonly due_on?: string }>({ due_on, ...said }: Body) => ({
  ...said,
  ...(due_on === undefined ? {} : { dueAt: timeOf(due_on) })
})

/** The handlers of the milestones of all repositories of a user. */
export const layerOwnMilestones = handle(
  ownMilestoneEndpoints,
  {
    "account.milestone.list": ({ page, proof, query }) =>
      Milestones.ofSelf(proof, { state: stateIn(query.state) }, page)
  },
  { show: showPlacedMilestone }
)

/** The handlers of milestones. */
export const layerMilestones = handle(
  milestoneEndpoints,
  {
    "milestone.list": ({ page, proof, query }) =>
      Milestones.list(proof, { state: stateIn(query.state), title: nonEmpty(query.name) }, page),
    "milestone.create": ({ body, proof }) => Milestones.create(proof, milestoneOf(body)),
    "milestone.read": ({ params, proof }) => Milestones.read(proof, params.id),
    "milestone.edit": ({ body, params, proof }) => Milestones.edit(proof, params.id, milestoneOf(body)),
    "milestone.delete": ({ params, proof }) => Milestones.remove(proof, params.id)
  },
  { showTo: showMilestoneTo }
)

/** The handlers of the users who can be assigned. */
export const layerAssignees = handle(
  assigneeEndpoints,
  {
    "repository.assignee.list": ({ page, proof }) => Assignees.candidates(proof, page),
    "repository.assignee.check": ({ params, proof }) => Assignees.checkIn(proof, params.assignee)
  },
  { showTo: showUserTo }
)
