import type { Transaction, Vault } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { OwnedStores } from "@slipway/domain/forge"
import { type Job, JobStore, type Work } from "@slipway/domain/forge/background"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore, watches } from "@slipway/domain/forge/code"
import type { NewsReceiver } from "@slipway/domain/forge/collaboration"
import { issueSubscriptions, issues, Markdown, releases, wantsLetter } from "@slipway/domain/forge/collaboration"
import type { EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import type { BlockStore, User, UserId } from "@slipway/domain/forge/identity"
import { emails, UserStore } from "@slipway/domain/forge/identity"
import { htmlOf, Mailer, MailUnsent } from "@slipway/domain/forge/integrations"
import { Context, Effect, Layer } from "effect"
import { unsubscribeToken } from "../../base/mail/Mails.ts"
import { aboutIssue, aboutWatch, letterEndingPath } from "./LetterEnding.ts"
import { newsLetter, type Told } from "./newsLetter.ts"
import { readersOf, type Subject } from "./readers.ts"
import { type Said, saidIn } from "./said.ts"

/** How long the words of a letter may be, and their HTML: the rest is read in the forge. */
const longest = 20_000
const longestHtml = 500_000
/** After how many letters in a row that weren't taken the server is left alone for a while. */
const patience = 3

type NewsWork = Extract<Work, { readonly _tag: "SendNews" }>
/** The job of letters with news. */
export type NewsJob = Pick<Job, "attempts" | "id"> & { readonly work: NewsWork }

const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}\n\n…`

/** Reads what a letter is about as it is now; nothing where it is gone. */
const loaded = Effect.fnUntraced(function* ({ about, repositoryId, what }: NewsWork) {
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  if (repository === undefined) return undefined
  if (about._tag === "Release") {
    const release = yield* (yield* releases.store).find({ repositoryId }, about.releaseId)
    if (release === undefined || release.draft) return undefined
    return { repository, subject: { _tag: "Release", release } as const, said: { text: release.body, anchor: "" } }
  }
  const issue = yield* (yield* issues.store).find({ repositoryId }, about.issueId)
  const said: Said | undefined = issue && (yield* saidIn(issue, { ...about, what }))
  if (issue === undefined || said === undefined) return undefined
  return { repository, subject: { _tag: "Issue", issue } as const, said }
})

/** Finds those of some users who have turned letters about a thing off, or stopped watching what it is of. */
const endedFor = Effect.fnUntraced(function* (subject: Subject, ids: ReadonlyArray<UserId>) {
  if (subject._tag === "Issue") {
    const pairs = ids.map((userId) => ({ issueId: subject.issue.id, userId }))
    const known = yield* (yield* issueSubscriptions.store).findManyBy("pair", pairs)
    return new Set(known.flatMap(({ subscribed, userId }) => (subscribed ? [] : [userId])))
  }
  const pairs = ids.map((userId) => ({ userId, repositoryId: subject.release.repositoryId }))
  const known = yield* (yield* watches.store).findManyBy("pair", pairs)
  const watching = new Set(known.flatMap(({ userId, watching }) => (watching ? [userId] : [])))
  return new Set(ids.filter((id) => !watching.has(id)))
})

/** Finds who still gets a letter: they may read the thing, want letters, and have confirmed their address. */
const stillMeant = Effect.fnUntraced(function* (
  subject: Subject,
  repository: Repository,
  { actorId, receivers }: NewsWork
) {
  const asked = receivers.map(({ userId }) => userId)
  const allowed = yield* readersOf(subject, repository.id, asked, actorId)
  const readers = new Map<UserId, User>(allowed.map((user) => [user.id, user]))
  if (readers.size === 0) return []
  const ids = [...readers.keys()]
  const primaries = yield* (yield* emails.store).findManyBy(
    "primary",
    ids.map((primaryOf) => ({ primaryOf }))
  )
  const addresses = new Map(primaries.flatMap((each) => (each.verified ? [[each.userId, each.address] as const] : [])))
  const ended = yield* endedFor(subject, ids)
  return receivers.flatMap((receiver) => {
    const user = readers.get(receiver.userId)
    const address = addresses.get(receiver.userId)
    if (user === undefined || address === undefined || ended.has(user.id)) return []
    return wantsLetter(user.emailNotifications, receiver) ? [{ receiver, user: { ...user, email: address } }] : []
  })
})

const rendered = Effect.fnUntraced(function* (text: string, repository: Repository, rootUrl: string) {
  const place = {
    repository: `${rootUrl}/${repository.owner.name}/${repository.name}`,
    tree: undefined,
    folder: ""
  }
  // What a reference leads to is not for every reader, so that each stays text; no picture tells its keeper who opened the letter.
  const source = { text, kind: "comment", place, links: new Map<string, string>(), pictures: "linked" } as const
  const html = yield* Effect.orElseSucceed((yield* Markdown).render(source), () => undefined)
  return html === undefined || html.length > longestHtml ? htmlOf(text) : html
})

/**
 * Writes letters and sends them one after the other; answers whether that ends the job, and nothing where another process has it.
 *
 * Who gets one is decided anew each time: whoever lost access, or whose repository became private, gets none (invariants I7 and I8,
 * CVE-2026-0798). Who has theirs is noted before the next is sent, so that a killed process sends one letter twice at the most.
 */
const sendNews = Effect.fnUntraced(function* (job: NewsJob) {
  const { work } = job
  const found = yield* loaded(work)
  if (found === undefined) return true
  const { repository, subject } = found
  const said = { ...found.said, text: shortened(found.said.text) }
  const meant = yield* stillMeant(subject, repository, work)
  if (meant.length === 0) return true
  const site = yield* SiteSettings
  const actor = work.actorId === null ? undefined : yield* (yield* UserStore).find(work.actorId)
  const html = said.text.trim() === "" ? "" : yield* rendered(said.text, repository, site.rootUrl)
  const told: Told = { site, repository, subject, said, html, actor, what: work.what, at: work.at }
  const about = subject._tag === "Issue" ? aboutIssue(subject.issue) : aboutWatch(repository)
  const [mailer, jobs] = [yield* Mailer, yield* JobStore]
  const waiting = meant.map(({ receiver }) => receiver)
  const unreached: Array<NewsReceiver> = []
  let inRow = 0
  let problem = ""
  for (const { receiver, user } of meant) {
    if (inRow === patience) break
    const token = yield* unsubscribeToken({ userId: user.id, about })
    const unsubscribe = `${site.rootUrl}${letterEndingPath(token)}`
    const sent = yield* mailer.send(newsLetter(told, { user, because: receiver.because, unsubscribe })).pipe(
      Effect.as(true),
      Effect.catchTag("MailRefused", (refused) =>
        Effect.as(Effect.logWarning(`a letter to user ${user.id} was refused: ${refused.problem}`), true)
      ),
      Effect.catchTag("MailUnsent", (unsent) =>
        Effect.sync(() => {
          problem = unsent.problem
          return false
        })
      )
    )
    waiting.shift()
    if (!sent) {
      unreached.push(receiver)
      inRow += 1
      continue
    }
    inRow = 0
    if (!(yield* jobs.keep(job, { ...work, receivers: [...waiting, ...unreached] }))) return undefined
  }
  const left = [...waiting, ...unreached]
  if (left.length === 0) return true
  if ((yield* now) < work.until) {
    // Who wasn't reached comes last the next time, so that nobody is kept waiting by a few.
    if (!(yield* jobs.keep(job, { ...work, receivers: left }))) return undefined
    return yield* new MailUnsent({ problem })
  }
  yield* Effect.logWarning(`${left.length} letters with news of repository ${repository.id} are given up: ${problem}`)
  return true
})

/**
 * Sends letters with news; off unless a layer says more.
 *
 * It has a default, so that whoever runs jobs without mail needs no mailer.
 */
export const NewsMail = Context.Reference<{
  readonly on: boolean
  readonly deliver: (job: NewsJob) => Effect.Effect<boolean | undefined, MailUnsent>
}>("@slipway/domain/forge/NewsMail", { defaultValue: () => ({ on: false, deliver: () => Effect.succeed(true) }) })

type Needs =
  | BlockStore
  | EffectiveAccessStore
  | JobStore
  | Mailer
  | Markdown
  | OwnedStores
  | RepositoryStore
  | SiteSettings
  | Transaction
  | UserStore
  | Vault

/** Lets news be sent by mail, where letters can name the site. */
export const layerNewsMail: Layer.Layer<never, never, Needs> = Layer.effect(
  NewsMail,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const site = yield* SiteSettings
    const outside = Context.make(Mailer, yield* Mailer).pipe(
      Context.add(Markdown, yield* Markdown),
      Context.add(SiteSettings, site)
    )
    return {
      on: site.rootUrl !== "",
      // Whoever does the job keeps their own time and transactions; the server that takes mail is the one of this layer.
      deliver: (job: NewsJob) => Effect.updateContext(sendNews(job), (own) => Context.mergeAll(context, own, outside))
    }
  })
)
