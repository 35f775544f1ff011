import type {
  Issue,
  Label,
  Milestone,
  PullRequest,
  ReactionCount,
  Repository,
  TimelineComment,
  TrackedTime,
  User
} from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { buttonTo, choicesField, formTo, selectField, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { issuePath } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import type { Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import type { ConversationOffers } from "./conversationOffers.ts"
import { numberedIn } from "./issueParts.ts"

type Discussed = Issue | PullRequest

/** The API operations that load and change the metadata of an issue or pull request. */
export const factOperations = [
  "label.list",
  "milestone.list",
  "repository.assignee.list",
  "issue.read",
  "issue.edit",
  "issue.label.replace",
  "issue.label.clear",
  "issue.deadline.set",
  "issue.lock",
  "issue.unlock",
  "issue.pin",
  "issue.unpin",
  "issue.subscription.check",
  "issue.subscription.add",
  "issue.subscription.remove",
  "issue.reaction.count",
  "issue.reaction.add",
  "issue.reaction.remove",
  "issue.comment.reaction.add",
  "issue.comment.reaction.remove",
  "issue.comment.read",
  "issue.comment.edit",
  "issue.comment.delete",
  "issue.dependency.list",
  "issue.dependency.add",
  "issue.dependency.remove",
  "issue.block.list",
  "issue.time.list",
  "issue.time.create",
  "issue.stopwatch.start",
  "issue.stopwatch.stop",
  "issue.stopwatch.delete",
  "account.stopwatch.list",
  "issue.comment.asset.create",
  "settings.attachment.read"
] as const

/**
 * The metadata of an issue or pull request, such as its dependencies. `choices` contains the values to choose from; it
 * is undefined for viewers who may not change it.
 */
export interface Facts {
  readonly reactions: ReadonlyArray<ReactionCount>
  readonly isSubscribed: boolean
  readonly choices:
    | {
        readonly labels: ReadonlyArray<Label>
        readonly milestones: ReadonlyArray<Milestone>
        readonly people: ReadonlyArray<User>
      }
    | undefined
  readonly dependencies: ReadonlyArray<Issue>
  readonly blocks: ReadonlyArray<Issue>
  readonly times: ReadonlyArray<TrackedTime>
  readonly isTimed: boolean
}

const tracker = ({ internal_tracker: internal }: Repository) => ({
  depends: internal?.enable_issue_dependencies === true,
  times: internal?.enable_time_tracker === true
})

const choicesOf = async (visit: Visit, may: ConversationOffers): Promise<Facts["choices"]> => {
  if (!may.label && !may.sort) return undefined
  const params = namedIn(visit)
  const [labels, milestones, people] = await Promise.all([
    visit.forge.label.list({ params, query: { limit: 50 } }),
    visit.forge.milestone.list({ params, query: { limit: 50 } }),
    visit.forge.repository.assignee.list({ params, query: { limit: 50 } })
  ])
  return { labels: labels.filter((label) => !label.is_archived), milestones, people }
}

/** Returns the ids of the comments on a page of a timeline, as a query parameter that requests their reactions. */
const commentIds = (events: ReadonlyArray<TimelineComment>): string => {
  const ids = events.filter(({ type }) => type === "comment").map(({ id }) => id)
  return ids.length === 0 ? "0" : ids.join(",")
}

/** Loads the metadata of an issue or pull request, with the reactions to the comments on this page of the timeline. */
export const loadFacts = async (
  visit: Visit,
  repository: Repository,
  may: ConversationOffers,
  events: ReadonlyArray<TimelineComment>
): Promise<Facts> => {
  const { forge, viewer } = visit
  const params = numberedIn(visit)
  const has = tracker(repository)
  const [reactions, subscription, choices, dependencies, blocks, times, running] = await Promise.all([
    forge.issue.reaction.count({ params, query: { comments: commentIds(events) } }),
    viewer === undefined ? undefined : forge.issue.subscription.check({ params }).result(),
    choicesOf(visit, may),
    has.depends ? forge.issue.dependency.list({ params, query: { limit: 50 } }) : [],
    has.depends ? forge.issue.block.list({ params, query: { limit: 50 } }) : [],
    has.times && viewer !== undefined ? forge.issue.time.list({ params, query: { limit: 50 } }).result() : undefined,
    has.times && viewer !== undefined ? forge.account.stopwatch.list({ query: { limit: 50 } }) : []
  ])
  const { owner, name } = { owner: repository.owner.login, name: repository.name }
  return {
    reactions,
    isSubscribed: subscription?.ok === true && subscription.value.subscribed,
    choices,
    dependencies,
    blocks,
    times: times?.ok === true ? times.value : [],
    isTimed: running.some(
      (each) =>
        each.repo_owner_name === owner && each.repo_name === name && String(each.issue_index) === String(params.index)
    )
  }
}

/** The emojis of the reactions that Gitea supports, by their names in the API. */
const emojis = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀"
} as const

/**
 * Renders the reactions to the description or to a comment. Each is a button that adds or removes the viewer's own
 * reaction.
 */
export const reactionBar = (visit: Visit, { reactions }: Facts, canReact: boolean, commentId = 0): Html => {
  const counted = Object.entries(emojis).map(([name, emoji]) => {
    const reaction = reactions.find((each) => each.comment_id === commentId && each.content === name)
    return { name, emoji, count: reaction?.count ?? 0, own: reaction?.own === true }
  })
  const shown = counted.filter(({ count }) => count > 0)
  if (!canReact)
    return shown.length === 0
      ? nothing
      : html`<p class="row small">${shown.map(({ count, emoji, name }) => html`<span class="badge" title="${name}">${emoji} ${count}</span>`)}</p>`
  const { editing } = visit.texts
  const button = ({ count, emoji, name, own }: (typeof counted)[number]) =>
    html`<button class="button reaction" name="do" value="${own ? "unreact" : "react"} ${name}" aria-pressed="${own ? "true" : "false"}"><span class="hidden-text">${name}</span>${emoji}${count > 0 && html` ${count}`}</button>`
  const rest = counted.filter(({ count }) => count === 0)
  // Reactions without a count are behind a disclosure, so that each comment has few controls.
  return formTo(
    visit,
    visit.url.pathname,
    html`<input type="hidden" name="comment" value="${commentId}"><span class="hidden-text">${editing.reactions}</span>${shown.map(button)}${rest.length > 0 && html`<details class="reactions"><summary class="button reaction">${icon("smiley")}<span class="hidden-text">${editing.react}</span></summary><div class="row">${rest.map(button)}</div></details>`}`,
    "row small"
  )
}

/** Renders a collapsed form in the sidebar. It is expanded if one of its fields has an error message. */
const folded = (visit: Visit, does: string, label: string, fields: Html, names: ReadonlyArray<string> = []): Html => {
  const isOpen = names.some((name) => visit.form.problems[name] !== undefined)
  return html`<details${isOpen && html` open`}><summary class="small">${label}</summary>${formTo(
    visit,
    visit.url.pathname,
    html`${fields}<button class="button" name="do" value="${does}">${visit.texts.editing.save}</button>`
  )}</details>`
}

const withPresent = <A extends { readonly id: number }>(
  choices: ReadonlyArray<A>,
  present: ReadonlyArray<A>
): ReadonlyArray<A> => [...choices, ...present.filter(({ id }) => !choices.some((each) => each.id === id))]

const dueForm = (visit: Visit, { due_date: due }: Discussed): Html =>
  folded(
    visit,
    "due",
    visit.texts.editing.editDue,
    textField(visit, { name: "due", label: visit.texts.issues.due, type: "date", value: due?.slice(0, 10) ?? "" }),
    ["due"]
  )

/**
 * Returns the forms that change labels, assignees, milestone and due date. They are empty if the viewer may not change
 * them.
 */
export const factForms = (visit: Visit, facts: Facts, discussed: Discussed, may: ConversationOffers) => {
  const { choices } = facts
  const due = may.due ? dueForm(visit, discussed) : nothing
  if (choices === undefined) return { labels: nothing, assignees: nothing, milestone: nothing, due }
  const { editing, issues } = visit.texts
  // Present values stay choices even if the lists lack them, such as labels of the organization.
  const assignees = discussed.assignees ?? []
  const labels = withPresent(choices.labels, discussed.labels)
  const people = withPresent(choices.people, assignees)
  const milestones = withPresent(choices.milestones, discussed.milestone === null ? [] : [discussed.milestone])
  const assigned = assignees.map(({ login }) => login)
  return {
    labels:
      may.label &&
      folded(
        visit,
        "labels",
        editing.editLabels,
        choicesField(visit, {
          name: "label",
          label: issues.labels,
          chosen: discussed.labels.map(({ id }) => String(id)),
          options: labels.map(({ id, name }) => ({ value: String(id), label: name }))
        })
      ),
    assignees:
      may.sort &&
      folded(
        visit,
        "assignees",
        editing.editAssignees,
        choicesField(visit, {
          name: "assignee",
          label: issues.assignees,
          chosen: assigned,
          options: people.map(({ login }) => ({ value: login, label: login }))
        })
      ),
    milestone:
      may.sort &&
      folded(
        visit,
        "milestone",
        editing.editMilestone,
        selectField(visit, {
          name: "milestone",
          label: issues.milestone,
          value: String(discussed.milestone?.id ?? 0),
          options: [
            { value: "0", label: issues.noMilestone },
            ...milestones.map(({ id, title }) => ({ value: String(id), label: title }))
          ]
        })
      ),
    due
  }
}

const hoursOf = (seconds: number) => {
  const minutes = Math.floor(seconds / 60)
  return [Math.floor(minutes / 60), minutes % 60] as const
}

const timeSection = (visit: Visit, facts: Facts, may: ConversationOffers): Html => {
  const { editing } = visit.texts
  const total = facts.times.reduce((sum, each) => sum + each.time, 0)
  const button = (does: string, label: string) =>
    html`<button class="button" name="do" value="${does}">${label}</button>`
  const timer = facts.isTimed
    ? html`${button("stop-timer", editing.stopTimer)}${button("cancel-timer", editing.cancelTimer)}`
    : button("start-timer", editing.startTimer)
  return html`<section><h2>${editing.times}</h2>${total === 0 ? html`<p class="soft">${editing.noTimes}</p>` : html`<p>${editing.tracked(...hoursOf(total))}</p>`}${
    may.startTimer && formTo(visit, visit.url.pathname, timer, "row")
  }${
    may.addTime &&
    folded(
      visit,
      "add-time",
      editing.addTime,
      textField(visit, { name: "time", label: editing.time, hint: editing.timeHint }),
      ["time"]
    )
  }</section>`
}

const related = (visit: Visit, title: string, found: ReadonlyArray<Issue>, removable: boolean): Html => {
  const { editing } = visit.texts
  const remove = ({ number: index, repository }: Issue) =>
    removable &&
    formTo(
      visit,
      visit.url.pathname,
      html`<input type="hidden" name="dependency" value="${repository.full_name}#${index}"><button class="button link" name="do" value="remove-dependency" aria-label="${editing.removeOf(`#${index}`)}">${editing.remove}</button>`,
      "inline"
    )
  return html`<section><h2>${title}</h2><ul>${found.map((each) => html`<li><a href="${issuePath(each)}">${each.title} <span class="soft">#${each.number}</span></a> ${remove(each)}</li>`)}</ul></section>`
}

const dependencySections = (visit: Visit, facts: Facts, { depend }: ConversationOffers): Html => {
  const { editing } = visit.texts
  const form = folded(
    visit,
    "add-dependency",
    editing.addDependency,
    textField(visit, { name: "dependency", label: editing.dependency, hint: editing.dependencyHint }),
    ["dependency"]
  )
  return html`${facts.dependencies.length > 0 && related(visit, editing.dependencies, facts.dependencies, depend)}${facts.blocks.length > 0 && related(visit, editing.blocks, facts.blocks, false)}${depend && html`<section>${facts.dependencies.length === 0 && html`<h2>${editing.dependencies}</h2><p class="soft">${editing.noDependencies}</p>`}${form}</section>`}`
}

const reasons = ["off-topic", "too heated", "resolved", "spam"] as const

/**
 * Renders the lower sections of the sidebar: dependencies, tracked times, notifications, and the buttons to pin and
 * lock.
 */
export const moreSections = (
  visit: Visit,
  repository: Repository,
  facts: Facts,
  discussed: Discussed,
  may: ConversationOffers
): Html => {
  const { editing } = visit.texts
  const { url, viewer } = visit
  if (viewer === undefined) return nothing
  const has = tracker(repository)
  const button = (does: string, label: string) => buttonTo(visit, `${url.pathname}?do=${does}`, label)
  const isPinned = discussed.pin_order > 0
  const pin = isPinned ? may.unpin && button("unpin", editing.unpin) : may.pin && button("pin", editing.pin)
  const lock = discussed.is_locked
    ? may.unlock && button("unlock", editing.unlock)
    : may.lock &&
      html`<details><summary class="small">${editing.lock}</summary>${formTo(
        visit,
        url.pathname,
        html`${selectField(visit, { name: "reason", label: editing.lockReason, options: [{ value: "", label: editing.noReason }, ...reasons.map((value) => ({ value, label: editing.reasons[value] }))] })}<button class="button" name="do" value="lock">${editing.lock}</button>`
      )}</details>`
  return html`${has.depends && dependencySections(visit, facts, may)}${has.times && timeSection(visit, facts, may)}
<section><h2>${editing.notifications}</h2>${facts.isSubscribed ? button("unsubscribe", editing.unsubscribe) : button("subscribe", editing.subscribe)}</section>
${(pin || lock) && html`<section><h2>${editing.manage}</h2><div class="row">${pin}${lock}</div></section>`}`
}

/** Renders a due date, with the form that changes it. */
export const dueSection = (visit: Visit, due: string | null, form: Html): Html =>
  due === null && form === nothing
    ? nothing
    : html`<section><h2>${visit.texts.issues.due}</h2>${due !== null && time(visit, due)}${form}</section>`
