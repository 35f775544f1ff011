import { EmailSubscriptions, unsubscribePath } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { colors } from "../../pages/colors.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { entryRequest } from "../entry/guard.ts"

/** The route of the page that unsubscribes from notification emails. */
export const unsubscribeRoute = unsubscribePath(":token")

const style = `${colors}:root{font:1.1rem/1.5 system-ui,sans-serif}
body{max-width:36rem;margin:12vh auto;padding:0 1.5rem}
h1{font-size:1.8rem;margin:0 0 .5rem}
button{font:inherit;padding:.4rem 1rem}`

// The pages contain only fixed text, so nothing needs to be escaped. They don't name the subject of an email.
const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`

const pages = {
  asks: pageOf(
    "Unsubscribe from these emails?",
    `<p>You will receive no more emails about this conversation, or about releases of the repository, until you subscribe again.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`
  ),
  done: pageOf(
    "You are unsubscribed",
    "<p>To receive them again, subscribe to the conversation or watch the repository.</p>"
  ),
  unknown: pageOf("This unsubscribe link is not valid", "<p>It is incomplete, or it belongs to another site.</p>")
}

const show = (page: keyof typeof pages) =>
  HttpServerResponse.text(pages[page], {
    status: page === "unknown" ? 404 : 200,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      // The address works as a credential for unsubscribing, so it goes to no other site; browsers report that the form
      // is ours.
      "referrer-policy": "same-origin"
    }
  })

const tokenOf = Effect.map(HttpRouter.RouteContext, ({ params }) => params.token ?? "")

/**
 * Layer with the page that unsubscribes from notification emails; the token in the URL replaces a sign-in.
 *
 * GET only asks for confirmation, so that link scanners of email providers change nothing; POST unsubscribes. Email
 * clients send the POST directly when their user unsubscribes (RFC 8058).
 */
export const unsubscribeRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add(
      "GET",
      unsubscribeRoute,
      Effect.map(Effect.flatMap(tokenOf, EmailSubscriptions.isIssuedToken), (known) => show(known ? "asks" : "unknown"))
    )
    yield* router.add(
      "POST",
      unsubscribeRoute,
      Effect.gen(function* () {
        const request = entryRequest(yield* HttpServerRequest.HttpServerRequest, yield* PublicUrl)
        return show((yield* EmailSubscriptions.unsubscribe(yield* tokenOf, request)) ? "done" : "unknown")
      })
    )
  })
)
