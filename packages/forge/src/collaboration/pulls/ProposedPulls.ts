import { Transaction } from "@slipway/domain"
import { JobLease } from "@slipway/domain/forge/background"
import {
  branchRef,
  type Commit,
  GitReader,
  GitRepositories,
  GitWriter,
  type ObjectId,
  type ProposalAnswer,
  type RefChange,
  RefName,
  type Repository
} from "@slipway/domain/forge/code"
import {
  betweenOf,
  issues,
  type ProposalOptions,
  type ProposedSides,
  type PullRequest,
  proposalOptions,
  proposedSides,
  pullRef,
  pulls
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Schema } from "effect"
import { addJob, addJobs } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { refCommit } from "../../code/git/branches.ts"
import * as Entry from "../../entry/Entry.ts"
import { insertPull } from "./Pulls.ts"
import { compareCommits } from "./pullCommits.ts"

/** The maximum length of the title and the description in characters, the same as in the API. */
const longest = { title: 255, description: 262_144 }

/** Reports why a push to `refs/for/` opens no pull request; the message is sent to the git client. */
class ProposalRefused extends Schema.TaggedError<ProposalRefused>()("ProposalRefused", { reason: Schema.String }) {}

const refuse = (reason: string) => new ProposalRefused({ reason })

/**
 * Returns the action for which a git push must be authorized: `git.push`, or `pull.create` for a user who may open pull
 * requests but not write branches.
 */
export const pushActionOf = Effect.fnUntraced(function* (entered: Entry.EnteredActor<"repository">) {
  const isAllowed = (action: "git.push" | "pull.create") =>
    Effect.match(Entry.authorize(action, entered), { onFailure: () => false, onSuccess: () => true })
  // A deploy key has no user who could be the author.
  if (entered.actor.user === undefined || (yield* isAllowed("git.push"))) return "git.push" as const
  return (yield* isAllowed("pull.create")) ? ("pull.create" as const) : ("git.push" as const)
})

/** Splits a ref below `refs/for/` into the base branch, which must exist, and the topic. */
const sidesOf = Effect.fnUntraced(function* (
  repository: Repository,
  ref: string,
  { topic: topicOption }: ProposalOptions
) {
  const readings = proposedSides(ref)
  const present = yield* (yield* GitRepositories).refs(
    repository.id,
    readings.map(({ base }) => branchRef(base))
  )
  const sides: ProposedSides | undefined = readings.find(({ base }) => present.has(branchRef(base)))
  if (sides === undefined) return yield* refuse(`there is no branch ${ref.slice("refs/for/".length)}`)
  if (sides.topic !== undefined && topicOption !== undefined && sides.topic !== topicOption) {
    return yield* refuse(`the ref and -o topic name different topics: ${sides.topic} and ${topicOption}`)
  }
  const topic = sides.topic ?? topicOption
  if (topic === undefined) return yield* refuse("a topic is missing: add -o topic=<name>")
  return { base: sides.base, topic }
})

/** Removes the user's name from the beginning of a topic; other hosts add it. */
const ownTopic = (user: string, topic: string): string =>
  topic.startsWith(`${user}/`) ? topic.slice(user.length + 1) : topic

const checked = (what: "description" | "title", text: string) => {
  if (text.length > longest[what]) return refuse(`the ${what} has more than ${longest[what]} characters`)
  if (!text.isWellFormed() || text.includes("\0") || (what === "title" && text.trim() === "")) {
    return refuse(`the ${what} must be text`)
  }
  return Effect.succeed(text)
}

/**
 * Returns the title and the description of a new pull request: those in the push options, otherwise those of the pushed
 * commit's message.
 */
const textsOf = Effect.fnUntraced(function* ({ message }: Commit, { description, title }: ProposalOptions) {
  const [subject = "", ...rest] = message.split("\n")
  const usual = { title: subject.trim().slice(0, longest.title).toWellFormed(), body: rest.join("\n").trim() }
  return {
    title: yield* checked("title", title ?? usual.title),
    body: yield* checked("description", description ?? usual.body.slice(0, longest.description).toWellFormed())
  }
})

const create = Effect.fnUntraced(function* (
  proof: Proof<"pull.create">,
  head: Pick<PullRequest, "headBranch" | "headOwner" | "headRepositoryId" | "pushedBy">,
  base: string,
  { commit, known }: { readonly commit: Commit; readonly known: Effect.Success<ReturnType<typeof compareCommits>> },
  options: ProposalOptions
) {
  const { repository } = proof.resource
  const input = { ...(yield* textsOf(commit, options)), head: head.headBranch, base }
  const { issue, jobs } = yield* insertPull(proof, input, { ...head, known }).pipe(
    Effect.catchTag("PullExists", () => refuse("pushed concurrently: push again")),
    // Their inputs, such as reviewers, are not given.
    Effect.catchTags({
      AssigneeInvalid: Effect.die,
      NameUnknown: Effect.die,
      PullBranchNotFound: Effect.die,
      ReviewerNotPossible: Effect.die
    })
  )
  yield* Effect.forEach(jobs, Jobs.runNow, { discard: true })
  yield* (yield* Transaction).run(addJobs([{ _tag: "MeasureGit", repositoryId: repository.id }]))
  return {
    _tag: "Kept",
    ref: pullRef(issue.number),
    before: undefined,
    after: known.headSha,
    forced: false,
    messages: [`opened pull request #${issue.number}: ${issue.title}`]
  } satisfies ProposalAnswer
})

const update = Effect.fnUntraced(function* (
  repository: Repository,
  pull: PullRequest,
  after: ObjectId,
  { description, force, title }: ProposalOptions
) {
  const scope = { repositoryId: repository.id }
  const issue = yield* (yield* issues.store).find(scope, pull.issueId)
  if (issue === undefined) return yield* refuse("the pull request was removed")
  const ref = RefName.make(pullRef(issue.number))
  const refTip = yield* refCommit(repository.id, ref)
  const before = refTip ?? pull.headSha
  if (before === after) return yield* refuse(`pull request #${issue.number} has this commit already`)
  const isAncestor = (yield* (yield* GitReader).divergence(repository.id, after, before))?.ahead === 0
  if (!isAncestor && !force) {
    return yield* refuse(`this replaces commits of pull request #${issue.number}: add -o force-push`)
  }
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* addJob({ _tag: "MeasureGit", repositoryId: repository.id })
      return yield* addJob({ _tag: "RefreshPull", issueId: pull.issueId }, yield* JobLease)
    })
  )
  yield* (yield* GitWriter).updateRefs(repository.id, [{ ref, from: refTip ?? null, to: after }]).pipe(
    Effect.mapError(() => refuse(`pull request #${issue.number} was pushed to concurrently: push again`)),
    Effect.ensuring(Jobs.runNow(job))
  )
  const ignored = title !== undefined || description !== undefined
  return {
    _tag: "Kept",
    ref,
    before,
    after,
    forced: !isAncestor,
    messages: [
      `updated pull request #${issue.number}: ${issue.title}`,
      ...(ignored ? ["title and description apply only to a new pull request"] : [])
    ]
  } satisfies ProposalAnswer
})

const problems = {
  "same-branch": "the two branches are the same",
  unrelated: "the commit has no common history with the base branch",
  "nothing-new": "the base branch contains this commit"
}

/**
 * Opens a pull request with a commit pushed to `refs/for/`, or updates the caller's open pull request with the same
 * topic and base branch.
 *
 * The commit is stored in the base repository below `refs/pull/`; no branch is created. Only the caller, its author,
 * can update the pull request.
 */
export const open = Effect.fnUntraced(
  function* (proof: Proof<"pull.create">, { after, ref }: RefChange, pushOptions: ReadonlyArray<string>) {
    const { actor, repository } = proof.resource
    const options = proposalOptions(pushOptions)
    const { base, topic } = yield* sidesOf(repository, ref, options)
    const tip = yield* refCommit(repository.id, branchRef(base))
    const [commit] = yield* (yield* GitReader).commits(repository.id, [after as ObjectId])
    if (tip === undefined) return yield* refuse(`there is no branch ${base}`)
    if (commit === undefined) return yield* refuse("only a commit can be a pull request")
    const { user } = actor
    if (user === undefined) return yield* refuse("a deploy key can't be the author of a pull request")
    const known = yield* compareCommits(repository, tip, commit.id)
    const head = {
      headRepositoryId: null,
      headOwner: user.name,
      headBranch: ownTopic(user.name, topic),
      pushedBy: user.id
    }
    const openBetween = betweenOf({ ...head, baseBranch: base })
    const present = yield* (yield* pulls.store).findBy("between", { repositoryId: repository.id, openBetween })
    return present === undefined
      ? yield* create(proof, head, base, { commit, known }, options)
      : yield* update(repository, present, commit.id, options)
  },
  (opening) =>
    opening.pipe(
      Effect.catchTags({
        ProposalRefused: ({ reason }) => Effect.succeed<ProposalAnswer>({ _tag: "Refused", reason }),
        PullImpossible: ({ because }) => Effect.succeed<ProposalAnswer>({ _tag: "Refused", reason: problems[because] }),
        GitOverloaded: () =>
          Effect.succeed<ProposalAnswer>({ _tag: "Refused", reason: "git is overloaded: push again later" })
      })
    )
)
