import type { Repository } from "@slipway/client/forge"
import { decisionsOn, type Question } from "../../page/decisions.ts"
import { NotFound, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "./revision.ts"

/** The operations that every page of a repository uses. */
export const repositoryOperations = ["repository.read", "access.check"] as const

/** An action of the access tables, and what it is about: the repository of the address, or its issue or pull request. */
export type Asked = readonly [action: string, on: "issue" | "pull" | "repo"]

/** Returns a resource in the format that the forge's decisions take. */
export const resourceOf = (kind: string, owner: string, name: string, key?: string | number): string => {
  // No name of a repository has these characters, which separate the parts of a resource.
  if (/[/#]/.test(owner) || /[/#]/.test(name)) throw new NotFound()
  return `${kind}:${owner}/${name}${key === undefined ? "" : `#${key}`}`
}

/** Returns the resource of the address for which a page asks. */
const resourceIn = (visit: Visit, on: Asked[1]): string => {
  const { name, owner } = repositoryIn(visit)
  return resourceOf(on, owner, name, on === "repo" ? undefined : visit.params.index)
}

/** The decisions that every page of a repository shows: whether it has the tab of the settings. */
const always = { settings: ["repository.edit", "repo"] } as const satisfies Record<string, Asked>

/** The decisions on a page's questions, with those that every page of a repository shows. */
export type Offers<K extends string = never> = Readonly<Record<K | keyof typeof always, boolean>>

/**
 * Loads the decisions on a page's questions about its address, and on `more`, which are about other resources.
 *
 * A question that is undefined, such as about a comment where there is none, has the answer no.
 */
export const loadOffers = async <K extends string = never, M extends string = never>(
  visit: Visit,
  asked: Readonly<Record<K, Asked>>,
  more: Readonly<Record<M, Question | undefined>> = {} as Readonly<Record<M, Question | undefined>>
): Promise<Offers<K | M>> => {
  const about = Object.entries<Asked>({ ...always, ...asked }).map(
    ([key, [action, on]]) => [key, [action, resourceIn(visit, on)]] as const
  )
  const others = Object.entries<Question | undefined>(more)
  const none = Object.fromEntries(others.map(([key]) => [key, false]))
  const questions = [...about, ...others].flatMap(([key, question]) =>
    question === undefined ? [] : [[key, question] as const]
  )
  // BOUNDARY: the keys are those of the questions, which `fromEntries` forgets.
  return { ...none, ...(await decisionsOn(visit, Object.fromEntries(questions))) } as Offers<K | M>
}

/** The decisions that archiving leaves as they are: forks and watches change nothing in the repository, the settings end it. */
const kept: ReadonlyArray<string> = ["settings", "fork", "watch"]

/**
 * Returns decisions without those on changes of an archived repository, which is read-only.
 *
 * The rules of some actions, such as of labels, do not contain that.
 */
export const unlessArchived = <K extends string>({ archived }: Repository, offers: Offers<K>): Offers<K> => {
  const shown = Object.entries<boolean>(offers).map(([key, may]) => [key, may && (!archived || kept.includes(key))])
  // BOUNDARY: the keys are those of the decisions, which `fromEntries` forgets.
  return Object.fromEntries(shown) as Offers<K>
}

/** Loads the repository of the address, with the decisions on a page's questions. */
export const loadRepository = async <K extends string = never>(
  visit: Visit,
  asked: Readonly<Record<K, Asked>> = {} as Readonly<Record<K, Asked>>
) => {
  const [repository, may] = await Promise.all([
    visit.forge.repository.read({ params: namedIn(visit) }),
    loadOffers(visit, asked)
  ])
  return { repository, may: unlessArchived(repository, may) }
}

/** Returns whether the button that opens an issue is shown; visitors who are not signed in see it, as it leads to the sign-in page. */
export const offersNewIssue = ({ viewer }: Visit, repository: Repository, may: boolean): boolean =>
  may || (viewer === undefined && repository.has_issues && !repository.archived)

/** Returns whether the button that opens a pull request is shown, to visitors as for issues. */
export const offersNewPull = ({ viewer }: Visit, repository: Repository, may: boolean): boolean =>
  may || (viewer === undefined && repository.has_pull_requests && !repository.archived)
