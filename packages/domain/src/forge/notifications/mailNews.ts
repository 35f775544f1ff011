import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Vault } from "../../Vault.ts"
import type { User } from "../accounts/User.ts"
import type { Comment, Issue } from "../issues/Issue.ts"
import type { JobStore } from "../jobs/Job.ts"
import { send, unsubscribeToken } from "../mail/Mails.ts"
import type { Repository } from "../repositories/Repository.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"
import { aboutIssue, letterEndingPath } from "./LetterEnding.ts"

const longest = 5_000

/** Who gets a letter with news. */
type Reader = Pick<User, "id" | "name" | "fullName" | "email">

/** What letters tell: an issue, or a comment on it. */
interface News {
  readonly repository: Repository
  readonly issue: Issue
  readonly comment: Comment | undefined
}

/** Writes a letter with news of an issue, with an address that ends letters about it. */
const letterTo = Effect.fnUntraced(function* (user: Reader, { comment, issue, repository }: News) {
  const { rootUrl } = yield* SiteSettings
  const where = `${repository.owner.name}/${repository.name}`
  const address = `${rootUrl}/${where}/${issue.pull ? "pulls" : "issues"}/${issue.number}`
  const text = (comment?.body ?? issue.body).slice(0, longest)
  const token = yield* unsubscribeToken({ userId: user.id, about: aboutIssue(issue) })
  return {
    to: { name: user.fullName === "" ? user.name : user.fullName, address: user.email },
    letter: {
      subject: `[${where}] ${issue.title} (#${issue.number})`,
      paragraphs: text.trim() === "" ? [issue.title] : [text],
      ...(rootUrl === "" ? {} : { action: { label: "Read it", address } }),
      reason: `You get this because you follow #${issue.number} of ${where}.`
    },
    unsubscribe: rootUrl === "" ? null : `${rootUrl}${letterEndingPath(token)}`
  }
})

const mailNews = Effect.fnUntraced(function* (users: ReadonlyArray<Reader>, news: News) {
  const reachable = users.filter(({ email }) => email !== "")
  yield* send(yield* Effect.forEach(reachable, (user) => letterTo(user, news)))
})

/** Adds letters with news to the running transaction; none unless a layer says more, so that jobs run without mail. */
export const NewsMail = Context.Reference<{
  readonly send: (users: ReadonlyArray<Reader>, news: News) => Effect.Effect<void>
}>("@slipway/domain/forge/NewsMail", { defaultValue: () => ({ send: () => Effect.void }) })

/** Lets news be sent by mail. */
export const layerNewsMail: Layer.Layer<never, never, JobStore | SecureRandom.SecureRandom | SiteSettings | Vault> =
  Layer.effect(
    NewsMail,
    Effect.map(Effect.context<JobStore | SecureRandom.SecureRandom | SiteSettings | Vault>(), (context) => ({
      send: (users: ReadonlyArray<Reader>, news: News) => Effect.provideContext(mailNews(users, news), context)
    }))
  )
