import { htmlOf, Mailer, MailUnsent, now, type Transaction, type Vault } from "@slipway/domain"
import type { OwnedStores } from "@slipway/domain/forge"
import { type Job, JobStore, type Work } from "@slipway/domain/forge/background"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore, watches } from "@slipway/domain/forge/code"
import type { EmailReceiver } from "@slipway/domain/forge/collaboration"
import {
  issueSubscriptions,
  issues,
  Markdown,
  releases,
  wantsNotificationEmail
} from "@slipway/domain/forge/collaboration"
import type { EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import type { BlockStore, User, UserId } from "@slipway/domain/forge/identity"
import { emails, UserStore } from "@slipway/domain/forge/identity"
import { Context, Effect, Layer } from "effect"
import { unsubscribeToken } from "../../base/mail/Mails.ts"
import { issueSubject, unsubscribePath, watchSubject } from "./EmailSubscriptions.ts"
import { type NotificationText, readNotificationText } from "./notificationText.ts"
import { readersOf, type Subject } from "./readers.ts"
import { type NotificationEmail, writeNotificationEmail } from "./writeNotificationEmail.ts"

/** The maximum length of the text of an email, and of its HTML, in characters; longer texts are cut. */
const longest = 20_000
const longestHtml = 500_000
/** The number of consecutive rejected emails after which sending is paused for a while. */
const patience = 3

type NotificationEmailWork = Extract<Work, { readonly _tag: "SendNotificationEmails" }>
/** A background job that sends notification emails. */
export type NotificationEmailJob = Pick<Job, "attempts" | "id"> & { readonly work: NotificationEmailWork }

const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}\n\n…`

/** Reads the current content for a notification email; undefined if its subject (an issue or a release) was deleted. */
const loaded = Effect.fnUntraced(function* ({ about, repositoryId, what }: NotificationEmailWork) {
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  if (repository === undefined) return undefined
  if (about._tag === "Release") {
    const release = yield* (yield* releases.store).find({ repositoryId }, about.releaseId)
    if (release === undefined || release.draft) return undefined
    return { repository, subject: { _tag: "Release", release } as const, said: { text: release.body, anchor: "" } }
  }
  const issue = yield* (yield* issues.store).find({ repositoryId }, about.issueId)
  const said: NotificationText | undefined = issue && (yield* readNotificationText(issue, { ...about, what }))
  if (issue === undefined || said === undefined) return undefined
  return { repository, subject: { _tag: "Issue", issue } as const, said }
})

/** Returns the users who have unsubscribed from the subject of an email, or stopped watching its repository. */
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

/** Returns the users who still get an email: they may read the subject, want emails, and have a confirmed address. */
const currentReceivers = Effect.fnUntraced(function* (
  subject: Subject,
  repository: Repository,
  { actorId, receivers }: NotificationEmailWork
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
    return wantsNotificationEmail(user.emailNotifications, receiver)
      ? [{ receiver, user: { ...user, email: address } }]
      : []
  })
})

const rendered = Effect.fnUntraced(function* (text: string, repository: Repository, rootUrl: string) {
  const place = {
    repository: `${rootUrl}/${repository.owner.name}/${repository.name}`,
    tree: undefined,
    folder: ""
  }
  // References stay text, since not every reader may follow them. Images are links, so that no image host can track
  // readers.
  const source = { text, kind: "comment", place, links: new Map<string, string>(), pictures: "linked" } as const
  const html = yield* Effect.orElseSucceed((yield* Markdown).render(source), () => undefined)
  return html === undefined || html.length > longestHtml ? htmlOf(text) : html
})

/**
 * Sends the notification emails of a job, one after the other. Returns whether the job is finished; undefined if
 * another process runs it.
 *
 * Each attempt checks the recipients again, so that a user who lost access gets no email (invariants I7 and I8,
 * CVE-2026-0798). Each sent email is recorded before the next one is sent, so a crash repeats at most one email.
 */
const sendNotificationEmails = Effect.fnUntraced(function* (job: NotificationEmailJob) {
  const { work } = job
  const found = yield* loaded(work)
  if (found === undefined) return true
  const { repository, subject } = found
  const said = { ...found.said, text: shortened(found.said.text) }
  const meant = yield* currentReceivers(subject, repository, work)
  if (meant.length === 0) return true
  const site = yield* SiteSettings
  const actor = work.actorId === null ? undefined : yield* (yield* UserStore).find(work.actorId)
  const html = said.text.trim() === "" ? "" : yield* rendered(said.text, repository, site.rootUrl)
  const notification: NotificationEmail = { site, repository, subject, said, html, actor, what: work.what, at: work.at }
  const about = subject._tag === "Issue" ? issueSubject(subject.issue) : watchSubject(repository)
  const [mailer, jobs] = [yield* Mailer, yield* JobStore]
  const waiting = meant.map(({ receiver }) => receiver)
  const unreached: Array<EmailReceiver> = []
  let inRow = 0
  let problem = ""
  for (const { receiver, user } of meant) {
    if (inRow === patience) break
    const token = yield* unsubscribeToken({ userId: user.id, about })
    const unsubscribe = `${site.rootUrl}${unsubscribePath(token)}`
    const sent = yield* mailer
      .send(writeNotificationEmail(notification, { user, because: receiver.because, unsubscribe }))
      .pipe(
        Effect.as(true),
        Effect.catchTag("MailRefused", (refused) =>
          Effect.as(Effect.logWarning(`an email to user ${user.id} was rejected: ${refused.problem}`), true)
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
    // Failed recipients come last in the next attempt, so that a few do not delay the others.
    if (!(yield* jobs.keep(job, { ...work, receivers: left }))) return undefined
    return yield* new MailUnsent({ problem })
  }
  yield* Effect.logWarning(
    `${left.length} notification emails of repository ${repository.id} are not retried any more: ${problem}`
  )
  return true
})

/**
 * Sends the notification emails of a job; disabled by default.
 *
 * The default exists so that a process that runs jobs without email needs no mail library.
 */
export const NotificationMail = Context.Reference<{
  readonly on: boolean
  readonly deliver: (job: NotificationEmailJob) => Effect.Effect<boolean | undefined, MailUnsent>
}>("@slipway/domain/forge/NotificationMail", {
  defaultValue: () => ({ on: false, deliver: () => Effect.succeed(true) })
})

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

/** Enables notification emails. Links in emails need a configured root URL of the site. */
export const layerNotificationMail: Layer.Layer<never, never, Needs> = Layer.effect(
  NotificationMail,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const site = yield* SiteSettings
    const outside = Context.make(Mailer, yield* Mailer).pipe(
      Context.add(Markdown, yield* Markdown),
      Context.add(SiteSettings, site)
    )
    return {
      on: site.rootUrl !== "",
      // The job's own services, such as clock and transaction, take precedence; the mailer is that of this layer.
      deliver: (job: NotificationEmailJob) =>
        Effect.updateContext(sendNotificationEmails(job), (own) => Context.mergeAll(context, own, outside))
    }
  })
)
