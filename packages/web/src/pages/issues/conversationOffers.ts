import type { Repository, TimelineComment, User } from "@slipway/client/forge"
import type { Question } from "../../page/decisions.ts"
import type { Visit } from "../../page/Page.ts"
import { type Asked, loadOffers, type Offers, resourceOf, unlessArchived } from "../code/loadRepository.ts"
import { repositoryIn } from "../code/revision.ts"

/** The access checks that decide which forms of an issue or pull request are shown. */
const asked = {
  edit: ["issue.edit", "issue"],
  comment: ["issue.comment.create", "issue"],
  react: ["issue.reaction.add", "issue"],
  label: ["issue.label.replace", "issue"],
  // The forge sets assignees and the milestone for those who may add labels.
  sort: ["issue.label.add", "issue"],
  due: ["issue.deadline.set", "issue"],
  depend: ["issue.dependency.add", "issue"],
  addTime: ["issue.time.create", "issue"],
  startTimer: ["issue.stopwatch.start", "issue"],
  pin: ["issue.pin", "issue"],
  unpin: ["issue.unpin", "issue"],
  lock: ["issue.lock", "issue"],
  unlock: ["issue.unlock", "issue"]
} as const satisfies Record<string, Asked>

/** The results of the access checks that decide which forms of an issue or pull request are shown. */
export type ConversationOffers = Offers<keyof typeof asked | "changeState" | "editOwnComment" | "editOtherComment">

/**
 * Returns the access checks for one comment of the viewer and one comment of another user. They represent all comments,
 * because the decision depends only on the author.
 */
const commentQuestions = (visit: Visit, events: ReadonlyArray<TimelineComment>) => {
  const { name, owner } = repositoryIn(visit)
  const comments = events.filter(({ type }) => type === "comment")
  const about = (isOwn: boolean): Question | undefined => {
    const found = comments.find(({ user }) => (user.login === visit.viewer?.login) === isOwn)
    return found && ["issue.comment.edit", resourceOf("comment", owner, name, found.id)]
  }
  return { editOwnComment: about(true), editOtherComment: about(false) }
}

/** Runs the access checks for the forms of an issue or pull request, and additional checks of its page. */
export const loadConversationOffers = async <K extends string, M extends string = never>(
  visit: Visit,
  repository: Repository,
  events: ReadonlyArray<TimelineComment>,
  own: Readonly<Record<K | "changeState", Asked>>,
  more: Readonly<Record<M, Question | undefined>> = {} as Readonly<Record<M, Question | undefined>>
): Promise<ConversationOffers & Offers<K | M>> => {
  const about = { ...more, ...commentQuestions(visit, events) }
  const questions: Readonly<Record<K | "changeState" | keyof typeof asked, Asked>> = { ...asked, ...own }
  return unlessArchived(repository, await loadOffers(visit, questions, about))
}

/** Returns whether the forms that change and delete a comment are shown. */
export const offersEditing = ({ viewer }: Visit, may: ConversationOffers, author: User): boolean =>
  author.login === viewer?.login ? may.editOwnComment : may.editOtherComment
