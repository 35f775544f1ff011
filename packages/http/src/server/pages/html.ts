import { HttpServerResponse } from "effect/http"
import { escapeHtml } from "../wire/escapeHtml.ts"
import { colors } from "./colors.ts"

/** A text of HTML in which all user input is escaped. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | undefined | ReadonlyArray<Html>

const shown = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part))
  return "html" in part ? part.html : part.map((each) => each.html).join("")
}

/** Builds HTML from a template literal; every inserted text is escaped. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  html: texts.map((text, at) => `${text}${shown(parts[at])}`).join("")
})

const style = `${colors}:root{font:1rem/1.5 system-ui,sans-serif}
body{max-width:30rem;margin:8vh auto;padding:0 1.5rem}
h1{font-size:1.5rem}
h2{font-size:1.1rem;margin-top:2rem}
label{display:block;margin:.8rem 0}
input:not([type=checkbox]):not([type=hidden]){display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
button{font:inherit;padding:.4rem 1rem;margin:.4rem .4rem .4rem 0}
ul{padding-left:1.2rem}
.problem{color:var(--bad)}
form.inline{display:inline}`

/** Returns the origin of a URL for the `form-action` policy, or its scheme if it has no origin. */
const originOf = (address: string): string => {
  if (!URL.canParse(address)) return ""
  const { origin, protocol } = new URL(address)
  return origin === "null" ? protocol : origin
}

/** The options of a page, in addition to its title and body. */
export interface PageOptions {
  readonly status?: number
  /** The URL to which the page's form finally redirects; the content security policy must allow its origin. */
  readonly leadsTo?: string | undefined
}

/** Returns the response with a plain HTML page; its headers forbid scripts and framing by other pages. */
export const page = (title: string, body: Html, { leadsTo = "", status = 200 }: PageOptions = {}) =>
  HttpServerResponse.text(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        // Any other challenge would make the browser open a password prompt over the form.
        ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
        "cache-control": "no-store",
        "content-security-policy": [
          "default-src 'none'",
          "style-src 'unsafe-inline'",
          `form-action 'self' ${originOf(leadsTo)}`.trim(),
          "base-uri 'none'",
          "frame-ancestors 'none'"
        ].join("; "),
        // With `no-referrer`, browsers send no origin with forms, and forms of other sites look the same.
        "referrer-policy": "same-origin"
      }
    }
  )

/** Returns the paragraph with an error message; empty if there is no message. */
export const problemLine = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem" role="alert">${problem}</p>`
