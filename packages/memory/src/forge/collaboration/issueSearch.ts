import { millisecondsOf, nameKey, type Page, type PageRequest, type SortKey } from "@slipway/domain"
import type { Label } from "@slipway/domain/forge/code"
import type {
  CountedMilestone,
  Issue,
  IssueFilter,
  IssueId,
  IssueOrder,
  Review,
  ReviewState
} from "@slipway/domain/forge/collaboration"
import type { OwnerId, TeamId, UserId } from "@slipway/domain/forge/identity"
import { byCodePoints } from "../../codePoints.ts"
import { comparePlaces, cut } from "../base/pages.ts"

/** The values that the issue search needs in addition to the columns of the issue. */
export interface IssueFacts {
  readonly labelsOf: (id: IssueId) => ReadonlyArray<Label>
  readonly milestoneOf: <Id extends number>(id: Id | null | undefined) => CountedMilestone | undefined
  readonly assigneesOf: (id: IssueId) => ReadonlyArray<UserId>
  readonly mentionsOf: (id: IssueId) => ReadonlyArray<UserId>
  readonly reviewsOf: (id: IssueId) => ReadonlyArray<Review>
  readonly isMember: (team: TeamId, user: UserId) => boolean
  readonly commentCount: (id: IssueId) => number
  readonly needs: (id: IssueId) => ReadonlyArray<IssueId>
  readonly ownerOf: (issue: Issue) => OwnerId | undefined
  readonly isHeldBy: (team: TeamId, issue: Issue) => boolean
}

/** The states of a submitted review. Requested and pending reviews have other states. */
const givenReviewStates: ReadonlySet<ReviewState> = new Set(["approved", "rejected", "commented"])

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

const isPart = (words: ReadonlyArray<string>, sought: ReadonlyArray<string>): boolean =>
  words.some((_, at) => sought.every((word, offset) => words[at + offset] === word))

/**
 * Returns a function that tests whether a text matches a query in PostgreSQL's web search syntax: words, phrases in
 * quotes, `or`, and `-` before excluded words. A query without words matches nothing.
 */
const searching = (query: string) => {
  const alternatives = [[]] as Array<Array<{ readonly sought: ReadonlyArray<string>; readonly not: boolean }>>
  for (const [, minus, phrase, word = ""] of query.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    if (phrase === undefined && minus === "" && word.toLowerCase() === "or") alternatives.push([])
    else {
      const negated = minus === "-" || (phrase === undefined && word.startsWith("-"))
      const sought = wordsOf(phrase ?? word)
      if (sought.length > 0) alternatives.at(-1)?.push({ sought, not: negated })
    }
  }
  const asked = alternatives.filter((each) => each.length > 0)
  return (text: string): boolean => {
    const words = wordsOf(text)
    return asked.some((all) => all.every(({ not, sought }) => isPart(words, sought) !== not))
  }
}

const longestTitle = 1_000
const longestBody = 100_000

/** Returns whether an issue matches a filter. */
export const matches = (facts: IssueFacts, filter: IssueFilter) => {
  const has = filter.text === undefined ? undefined : searching(filter.text)
  const isLabelled = (names: ReadonlyArray<string>, { id }: Issue) => {
    const keys = names.map(nameKey)
    return facts.labelsOf(id).some(({ name }) => keys.includes(nameKey(name)))
  }
  const conditions: ReadonlyArray<false | ((issue: Issue) => boolean)> = [
    filter.pull !== undefined && (({ pull }) => pull === filter.pull),
    filter.state !== undefined && (({ state }) => state === filter.state),
    has !== undefined && (({ body, title }) => has(`${title.slice(0, longestTitle)} ${body.slice(0, longestBody)}`)),
    filter.labels !== undefined && ((issue) => isLabelled(filter.labels ?? [], issue)),
    filter.allLabels !== undefined &&
      ((issue) => filter.allLabels?.every((name) => isLabelled([name], issue)) === true),
    filter.withoutLabels !== undefined && ((issue) => !isLabelled(filter.withoutLabels ?? [], issue)),
    filter.milestones !== undefined &&
      (({ milestoneId }) => {
        const milestone = facts.milestoneOf(milestoneId)
        const sought = filter.milestones ?? []
        return (
          milestone !== undefined &&
          (sought.includes(String(milestone.id)) || sought.map(nameKey).includes(nameKey(milestone.title)))
        )
      }),
    filter.since !== undefined && (({ updatedAt }) => byCodePoints(updatedAt, filter.since ?? "") >= 0),
    filter.before !== undefined && (({ updatedAt }) => byCodePoints(updatedAt, filter.before ?? "") < 0),
    filter.authorId !== undefined && (({ authorId }) => authorId === filter.authorId),
    filter.assigneeId !== undefined && (({ id }) => facts.assigneesOf(id).includes(filter.assigneeId as UserId)),
    filter.mentionedId !== undefined && (({ id }) => facts.mentionsOf(id).includes(filter.mentionedId as UserId)),
    filter.reviewerId !== undefined &&
      (({ id }) =>
        facts.reviewsOf(id).some((each) => givenReviewStates.has(each.state) && each.reviewerId === filter.reviewerId)),
    filter.askedId !== undefined &&
      (({ id }) =>
        facts
          .reviewsOf(id)
          .some(
            (each) =>
              each.state === "requested" &&
              (each.reviewerId === filter.askedId ||
                (each.teamId !== null && facts.isMember(each.teamId, filter.askedId as UserId)))
          )),
    filter.ownerId !== undefined && ((issue) => facts.ownerOf(issue) === filter.ownerId),
    filter.teamId !== undefined && ((issue) => facts.isHeldBy(filter.teamId as TeamId, issue)),
    filter.pinned !== undefined && (({ pinOrder }) => pinOrder > 0 === filter.pinned),
    filter.ids !== undefined && (({ id }) => filter.ids?.includes(id) === true),
    filter.neededBy !== undefined && (({ id }) => facts.needs(filter.neededBy as IssueId).includes(id)),
    filter.waitingFor !== undefined && (({ id }) => facts.needs(id).includes(filter.waitingFor as IssueId))
  ]
  const asked = conditions.filter((each) => each !== false)
  return (issue: Issue): boolean => asked.every((condition) => condition(issue))
}

const orders: Readonly<
  Record<IssueOrder, { readonly by?: (issue: Issue, facts: IssueFacts) => number; readonly descending: boolean }>
> = {
  newest: { descending: true },
  oldest: { descending: false },
  recentupdate: { by: ({ updatedAt }) => 1_000 * millisecondsOf(updatedAt), descending: true },
  leastupdate: { by: ({ updatedAt }) => 1_000 * millisecondsOf(updatedAt), descending: false },
  mostcomment: { by: ({ id }, { commentCount }) => commentCount(id), descending: true },
  leastcomment: { by: ({ id }, { commentCount }) => commentCount(id), descending: false },
  // Issues without a due date come last in both directions.
  nearduedate: {
    by: ({ dueAt }) => (dueAt === null ? Number.MAX_SAFE_INTEGER : millisecondsOf(dueAt)),
    descending: false
  },
  farduedate: {
    by: ({ dueAt }) => (dueAt === null ? Number.MIN_SAFE_INTEGER : millisecondsOf(dueAt)),
    descending: true
  },
  pinned: { by: ({ pinOrder }) => pinOrder, descending: false }
}

/** Returns one page of issues, sorted by the requested order. */
export const orderedPage = (
  facts: IssueFacts,
  { first }: IssueFilter,
  order: IssueOrder,
  all: ReadonlyArray<Issue>,
  page: PageRequest
): Page<Issue> => {
  const { by, descending } = orders[order]
  const placeOf = (issue: Issue): SortKey => [
    ...(first === undefined ? [] : [Number((issue.repositoryId === first) === descending)]),
    ...(by === undefined ? [] : [by(issue, facts)]),
    issue.id
  ]
  const placed = all.map((issue) => ({ issue, place: placeOf(issue) }))
  placed.sort((one, other) =>
    descending ? comparePlaces(other.place, one.place) : comparePlaces(one.place, other.place)
  )
  const { rows, ...rest } = cut(placed, page, ({ place }) => place, { descending })
  return { ...rest, rows: rows.map(({ issue }) => issue) }
}
