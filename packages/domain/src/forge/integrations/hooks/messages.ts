import type { Hook, HookType } from "./Hook.ts"
import type { HookDelivery, HookMessage } from "./HookDelivery.ts"

type Json = Readonly<Record<string, unknown>>

type Writer = (message: HookMessage, hook: Pick<Hook, "look">, payload: string) => Json

const usualColor = "#4183c4"

const hex = (color: string): number => Number.parseInt(color.replace("#", ""), 16) || 0

const forMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const forHtml = (text: string): string => forMarkup(text).replaceAll('"', "&quot;")

const plain = ({ lines, link, title }: HookMessage): string =>
  [title, ...lines, ...(link === "" ? [] : [link])].join("\n")

// User-provided text must not be interpreted as markup.
const forMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, "\\$&")

const markdown = ({ lines, link, title }: HookMessage): string =>
  [link === "" ? forMarkdown(title) : `[${forMarkdown(title)}](${link})`, ...lines.map(forMarkdown)].join("\n\n")

const html = ({ lines, link, title }: HookMessage): string => {
  const head = link === "" ? forHtml(title) : `<a href="${forHtml(link)}">${forHtml(title)}</a>`
  return [head, ...lines.map(forHtml)].join("<br>")
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** The functions that write the message for each chat service. */
const writers: { readonly [T in Exclude<HookType, "gitea" | "forgejo" | "gogs">]: Writer } = {
  slack: ({ lines, link, title }, { look }) => ({
    channel: look.channel ?? "",
    username: look.username ?? "",
    icon_url: look.icon_url ?? "",
    text: link === "" ? forMarkup(title) : `<${link}|${forMarkup(title)}>`,
    attachments: lines.length === 0 ? [] : [{ color: look.color ?? usualColor, text: lines.map(forMarkup).join("\n") }]
  }),
  discord: ({ lines, link, sender, title }, { look }) => ({
    username: look.username ?? "",
    avatar_url: look.icon_url ?? "",
    // User-provided text must not mention anyone.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(title, 256),
        description: cut(lines.map(forMarkdown).join("\n"), 4_000),
        ...(link === "" ? {} : { url: link }),
        color: hex(look.color ?? usualColor),
        author: { name: sender }
      }
    ]
  }),
  dingtalk: (message) => ({
    msgtype: "actionCard",
    actionCard: {
      title: message.title,
      text: markdown(message),
      hideAvatar: "0",
      singleTitle: "view",
      singleURL: message.link
    }
  }),
  telegram: (message) => ({
    text: [
      message.link === "" ? forHtml(message.title) : `<a href="${forHtml(message.link)}">${forHtml(message.title)}</a>`,
      ...message.lines.map(forHtml)
    ].join("\n"),
    parse_mode: "HTML",
    disable_web_page_preview: true
  }),
  msteams: (message) => ({
    "@type": "MessageCard",
    "@context": "https://schema.org/extensions",
    themeColor: usualColor.slice(1),
    title: message.title,
    summary: message.title,
    sections: [
      {
        activityTitle: message.sender,
        activitySubtitle: message.repository,
        text: message.lines.map(forMarkdown).join("\n\n"),
        facts: [{ name: "Repository:", value: message.repository }]
      }
    ],
    potentialAction:
      message.link === "" ? [] : [{ "@type": "OpenUri", name: "View", targets: [{ os: "default", uri: message.link }] }]
  }),
  feishu: (message) => ({ msg_type: "text", content: { text: plain(message) } }),
  matrix: (message) => ({
    msgtype: "m.notice",
    body: plain(message),
    format: "org.matrix.custom.html",
    formatted_body: html(message)
  }),
  wechatwork: (message) => ({ msgtype: "markdown", markdown: { content: cut(markdown(message), 4_000) } }),
  packagist: ({ link }, _, payload) => ({ repository: { url: repositoryUrlIn(payload) ?? link } })
}

const repositoryUrlIn = (payload: string): string | undefined => {
  const { repository } = JSON.parse(payload) as {
    readonly repository?: { readonly html_url?: string; readonly clone_url?: string }
  }
  return repository?.html_url ?? repository?.clone_url
}

/** Returns the body of a webhook delivery in the format of the receiver, such as Gitea's or Slack's. */
export const messageBody = (
  hook: Pick<Hook, "look" | "type">,
  { message, payload }: Pick<HookDelivery, "message" | "payload">
): string => {
  const { type } = hook
  return type === "gitea" || type === "forgejo" || type === "gogs"
    ? payload
    : JSON.stringify(writers[type](message, hook, payload))
}
