/** The content of an email, from which its text and its HTML are generated. */
export interface EmailContent {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  /** The text that a user wrote, such as a comment, as plain text and as sanitized HTML. */
  readonly said?: { readonly text: string; readonly html: string }
  /** The link that the email asks the reader to open, with its label. */
  readonly action?: { readonly label: string; readonly address: string }
  /** The sentence that explains why the reader receives the email. */
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

/** Converts plain text to an HTML paragraph, with special characters escaped. */
export const htmlOf = (text: string): string => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`

/** Makes a text safe for an email header: replaces line breaks by spaces, and shortens a long text. */
export const inLine = (text: string): string => {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()
  return line.length <= longestSubject ? line : `${line.slice(0, longestSubject - 1).trimEnd()}…`
}

/**
 * Renders an email as plain text and as HTML, with its content escaped.
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
