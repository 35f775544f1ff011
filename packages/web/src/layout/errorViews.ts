import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit, View } from "../page/BasePage.ts"
import { linkButton } from "./components.ts"

/** An error to show on an error page: its HTTP status, and the message of the service. */
export interface Failure {
  readonly status: number
  readonly message?: string | undefined
  readonly retryAfter?: string | undefined
  readonly requestId?: string | undefined
}

const explanation = ({ texts: { errors }, viewer }: BaseVisit, { message, retryAfter = "60", status }: Failure) => {
  switch (status) {
    case 404:
      // Hidden equals missing: the forge's message is not shown, so that both give the same page (invariant I9).
      return {
        title: errors.notFoundTitle,
        text: errors.notFound,
        more: viewer === undefined ? errors.notFoundSignedOut : undefined
      }
    case 403:
      return { title: errors.forbiddenTitle, text: errors.forbidden, more: message }
    case 429:
      return { title: errors.limitedTitle, text: errors.limited(retryAfter), more: undefined }
    case 503:
      return { title: errors.unavailableTitle, text: errors.unavailable, more: undefined }
    case 500:
      return { title: errors.internalTitle, text: errors.internal, more: undefined }
    default:
      return { title: errors.rejectedTitle, text: message ?? "", more: undefined }
  }
}

/** Returns the error page for a failed request. */
export const errorView = (visit: BaseVisit, failure: Failure, signInAt: (here: string) => string): View => {
  const { more, text, title } = explanation(visit, failure)
  const { requestId, status } = failure
  const { texts, viewer } = visit
  const signIn: Html =
    status === 404 && viewer === undefined
      ? linkButton(signInAt(`${visit.url.pathname}${visit.url.search}`), texts.layout.signIn, undefined, "primary")
      : nothing
  return {
    title,
    status,
    body: html`<div class="narrow"><p class="soft">${status}</p><div class="title"><h1>${title}</h1></div><p>${text}</p>${more !== undefined && html`<p class="soft">${more}</p>`}
<p class="row">${signIn}${linkButton("/", texts.errors.home)}</p>
${requestId !== undefined && html`<p class="small soft">${texts.errors.requestId}: <code>${requestId}</code></p>`}</div>`
  }
}
