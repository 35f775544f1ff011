import type { Repository } from "@slipway/client/forge"
import { decisionsOn, type Question } from "../../page/decisions.ts"
import { NotFound, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "./revision.ts"

/** The API operations that every page of a repository uses. */
export const repositoryOperations = ["repository.read", "access.check"] as const

/** An access check: an action, and the resource in the URL that it is about (repository, issue or pull request). */
export type Asked = readonly [action: string, on: "issue" | "pull" | "repo"]

/** Returns the name of a resource in the format of access checks, such as `issue:acme/site#3`. */
export const resourceOf = (kind: string, owner: string, name: string, key?: string | number): string => {
  // No name of a repository has these characters, which separate the parts of a resource.
  if (/[/#]/.test(owner) || /[/#]/.test(name)) throw new NotFound()
  return `${kind}:${owner}/${name}${key === undefined ? "" : `#${key}`}`
}

/** Returns the name of the resource in the URL, in the format of access checks. */
const resourceIn = (visit: Visit, on: Asked[1]): string => {
  const { name, owner } = repositoryIn(visit)
  return resourceOf(on, owner, name, on === "repo" ? undefined : visit.params.index)
}

/** The access checks of every page of a repository. They decide whether the settings tab is shown. */
const always = { settings: ["repository.edit", "repo"] } as const satisfies Record<string, Asked>

/**
 * The results of access checks (true if allowed), by name. Every page of a repository also has the results of `always`.
 */
export type Offers<K extends string = never> = Readonly<Record<K | keyof typeof always, boolean>>

/**
 * Runs the access checks of a page. `asked` contains checks on the resource in the URL, and `more` checks on other
 * resources.
 *
 * The result of an undefined check is `false`. This is used for checks about a comment on a page without comments.
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

/**
 * The checks that can still be allowed in an archived repository: forking and watching do not change it, and the
 * settings can unarchive it.
 */
const archivedActions: ReadonlyArray<string> = ["settings", "fork", "watch"]

/**
 * Denies all changes of an archived repository in the results of access checks, because it is read-only.
 *
 * This is needed because the rules of some actions, such as changes of labels, do not test whether the repository is
 * archived.
 */
export const unlessArchived = <K extends string>({ archived }: Repository, offers: Offers<K>): Offers<K> => {
  const shown = Object.entries<boolean>(offers).map(([key, may]) => [
    key,
    may && (!archived || archivedActions.includes(key))
  ])
  // BOUNDARY: the keys are those of the decisions, which `fromEntries` forgets.
  return Object.fromEntries(shown) as Offers<K>
}

/** Loads the repository in the URL, and the results of the access checks of a page. */
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

/** Returns whether the button for a new issue is shown. Anonymous visitors see it too: it leads to the sign-in page. */
export const offersNewIssue = ({ viewer }: Visit, repository: Repository, may: boolean): boolean =>
  may || (viewer === undefined && repository.has_issues && !repository.archived)

/**
 * Returns whether the button for a new pull request is shown. Anonymous visitors also see it; it leads to the sign-in
 * page.
 */
export const offersNewPull = ({ viewer }: Visit, repository: Repository, may: boolean): boolean =>
  may || (viewer === undefined && repository.has_pull_requests && !repository.archived)
