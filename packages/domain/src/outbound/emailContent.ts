/** The content of an email, from which its text and its HTML are generated. */
export interface EmailContent {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  /** The text of a user, as plain text and as sanitized HTML. */
  readonly said?: { readonly text: string; readonly html: string }
  /** The action that the reader is asked to perform, with its URL. */
  readonly action?: { readonly label: string; readonly address: string }
  /** The reason why the reader receives it. */
  readonly reason: string
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => escapes[each] ?? each)

const longestSubject = 200

/** Escapes a text for HTML. */
export const htmlOf = (text: string): string => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`

/** Returns a text without the characters that are invalid in a header line. */
export const inLine = (text: string): string => {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()
  return line.length <= longestSubject ? line : `${line.slice(0, longestSubject - 1).trimEnd()}…`
}

/**
 * Returns an email as plain text and as HTML; its content is escaped in both.
 *
 * @example
 * written({ subject: "a\nb", paragraphs: ["<c>"], reason: "d" }, null).subject // => "a b"
 */
export const written = ({ action, paragraphs, reason, said, subject }: EmailContent, unsubscribe: string | null) => {
  const way = action === undefined ? [] : [`${action.label}: ${action.address}`]
  const end = unsubscribe === null ? [] : [`Unsubscribe: ${unsubscribe}`]
  const link = (address: string, label: string) => `<a href="${escaped(address)}">${escaped(label)}</a>`
  return {
    subject: inLine(subject),
    text: `${[...paragraphs, ...(said === undefined ? [] : [said.text]), ...way, ["-- ", reason, ...end].join("\n")].join("\n\n")}\n`,
    html: [
      "<!DOCTYPE html>",
      '<html><head><meta charset="utf-8"></head><body>',
      ...paragraphs.map(htmlOf),
      ...(said === undefined ? [] : [`<div>${said.html}</div>`]),
      ...(action === undefined ? [] : [`<p>${link(action.address, action.label)}</p>`]),
      `<hr><p><small>${escaped(reason)}${unsubscribe === null ? "" : ` ${link(unsubscribe, "Unsubscribe")}`}</small></p>`,
      "</body></html>",
      ""
    ].join("\n")
  }
}
