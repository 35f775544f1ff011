import { type EmailContent, inLine, type Mail, written } from "@slipway/domain"
import type { Site } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import type { EmailReceiver, NotificationEvent, NotificationReason } from "@slipway/domain/forge/collaboration"
import { asViewer } from "@slipway/domain/forge/explanation"
import type { User } from "@slipway/domain/forge/identity"
import { canSee } from "@slipway/domain/forge/identity"
import type { NotificationText } from "./notificationText.ts"
import type { Subject } from "./readers.ts"

/** The content of a notification email that is equal for all recipients. */
export interface NotificationEmail {
  readonly site: Pick<Site, "host" | "rootUrl" | "title">
  readonly repository: Repository
  readonly subject: Subject
  readonly what: NotificationEvent
  readonly at: string
  readonly actor: User | undefined
  readonly said: NotificationText
  /** The text that caused the notification, as sanitized HTML. */
  readonly html: string
}

/** The recipient of a notification email, and the reason for it. */
export interface EmailAddressee extends Pick<EmailReceiver, "because"> {
  readonly user: User
  /** The full URL with which the recipient unsubscribes from the issue or repository. */
  readonly unsubscribe: string
}

const fullNameOf = ({ name, owner }: Repository): string => `${owner.name}/${name}`

/** Returns the name of an actor in an email: the user name, and the full name if the recipient can see it. */
const namedTo = (reader: User, actor: User | undefined, title: string): string => {
  if (actor === undefined) return title
  return actor.fullName.trim() === "" || !canSee(asViewer(reader))(actor)
    ? actor.name
    : `${inLine(actor.fullName)} (${actor.name})`
}

const verdicts = { approved: "approved", rejected: "asked for changes in", commented: "reviewed" } as const

/** Returns the first line of an email, by event type: what the actor did. */
const deeds: { readonly [W in NotificationEvent]: (who: string, thing: string, said: NotificationText) => string } = {
  opened: (who, thing) => `${who} opened ${thing}.`,
  closed: (who, thing) => `${who} closed ${thing}.`,
  reopened: (who, thing) => `${who} reopened ${thing}.`,
  merged: (who, thing) => `${who} merged ${thing}.`,
  commented: (who, thing) => `${who} commented on ${thing}.`,
  reviewed: (who, thing, { review }) =>
    `${who} ${verdicts[(review?.state ?? "commented") as keyof typeof verdicts] ?? verdicts.commented} ${thing}.`,
  replied: (who, thing) => `${who} replied in a review of ${thing}.`,
  assigned: (who, thing) => `${who} assigned ${thing} to you.`,
  "review-requested": (who, thing) => `${who} asked you for a review of ${thing}.`,
  published: (who, thing) => `${who} published ${thing}.`
}

const causes: { readonly [R in NotificationReason]: (thing: string, repository: string) => string } = {
  review_requested: (thing) => `you are asked to review ${thing}`,
  assign: (thing) => `you are assigned to ${thing}`,
  author: (thing) => `you opened ${thing}`,
  mention: (thing) => `you are mentioned in ${thing}`,
  comment: (thing) => `you took part in ${thing}`,
  manual: (thing) => `you subscribed to ${thing}`,
  subscribed: (_, repository) => `you watch ${repository}`,
  your_activity: () => "you receive emails about your own activity"
}

interface Place {
  /** The name of the issue or release in the email; `title` is its title. */
  readonly thing: string
  readonly title: string
  readonly page: string
  /** The `id` of the first email about the issue or release, so that email clients group its emails. */
  readonly thread: string
  /** The email headers that identify the issue or release, for filter rules of email clients. */
  readonly headers: Readonly<Record<string, string>>
}

const placeOf = ({ repository, site: { rootUrl }, subject }: NotificationEmail): Place => {
  const where = fullNameOf(repository)
  if (subject._tag === "Release") {
    const { id, tag, title } = subject.release
    return {
      thing: `the release ${inLine(title)}`,
      title: `[${where}] ${inLine(title)} (${tag})`,
      page: `${rootUrl}/${where}/releases/tag/${tag.split("/").map(encodeURIComponent).join("/")}`,
      thread: `release-${id}`,
      headers: {}
    }
  }
  const { id, number, pull, title } = subject.issue
  const page = `${rootUrl}/${where}/${pull ? "pulls" : "issues"}/${number}`
  return {
    thing: `${pull ? "pull request" : "issue"} #${number}`,
    title: `[${where}] ${inLine(title)} (#${number})`,
    page,
    thread: `issue-${id}`,
    headers: { "X-Gitea-Issue-ID": String(number), "X-Gitea-Issue-Link": page }
  }
}

const idOf = ({ at, said, what }: NotificationEmail, { thread }: Place): string => {
  if (what === "opened" || what === "published") return thread
  const words = said.anchor === "" ? `${what}-${at.replaceAll(/\D/g, "")}` : said.anchor.slice(1)
  return `${thread}-${words}`
}

/** Returns the email headers for filter rules of email clients, with the same names as in Gitea, GitHub and GitLab. */
const headersOf = (
  notification: NotificationEmail,
  place: Place,
  { because, user }: EmailAddressee
): Readonly<Record<string, string>> => {
  const { actor, repository, site } = notification
  const where = fullNameOf(repository)
  const page = `${site.rootUrl}/${where}`
  const sender = actor?.name ?? site.title
  return {
    "List-ID": `${where} <${repository.name}.${repository.owner.name}.${site.host}>`,
    "List-Archive": `<${page}>`,
    Precedence: "list",
    "X-Gitea-Reason": because,
    "X-Gitea-Sender": sender,
    "X-Gitea-Recipient": user.name,
    "X-Gitea-Repository": repository.name,
    "X-Gitea-Repository-Path": where,
    "X-Gitea-Repository-Link": page,
    ...place.headers,
    "X-Forgejo-Reason": because,
    "X-GitHub-Reason": because,
    "X-GitHub-Sender": sender,
    "X-GitHub-Recipient": user.name,
    "X-GitLab-NotificationReason": because
  }
}

/** Writes the notification email for one recipient. It contains only what the recipient may see. */
export const writeNotificationEmail = (notification: NotificationEmail, addressee: EmailAddressee): Mail => {
  const { actor, html, repository, said, site, what } = notification
  const { because, unsubscribe, user } = addressee
  const place = placeOf(notification)
  const id = idOf(notification, place)
  const who = namedTo(user, actor, site.title)
  const begins = id === place.thread
  const content: EmailContent = {
    subject: begins ? place.title : `Re: ${place.title}`,
    paragraphs: [deeds[what](who, place.thing, said)],
    ...(said.text.trim() === "" ? {} : { said: { text: said.text, html } }),
    action: { label: "Read it", address: `${place.page}${said.anchor}` },
    reason: `You receive this email because ${causes[because](place.thing, fullNameOf(repository))}.`
  }
  return {
    id,
    to: { name: user.fullName.trim() === "" ? user.name : inLine(user.fullName), address: user.email },
    by: who,
    ...(begins ? {} : { inReplyTo: place.thread }),
    headers: headersOf(notification, place, addressee),
    unsubscribe,
    ...written(content, unsubscribe)
  }
}
