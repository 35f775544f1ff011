import { Schema } from "effect"
import type { KoaContextWithOIDC } from "oidc-provider"

/** The response header that names the page of the forge to show. */
export const pageHeader = "x-page"

/** A page that the OpenID provider shows during a sign-in. */
export const Page = Schema.fromJsonString(
  Schema.Struct({
    kind: Schema.Literals(["code", "confirm", "done", "failed"]),
    /** The token that keeps other sites from sending the form. */
    xsrf: Schema.optional(Schema.String),
    userCode: Schema.optional(Schema.String),
    name: Schema.optional(Schema.String),
    problem: Schema.optional(Schema.String)
  })
)
export type Page = { -readonly [K in keyof typeof Page.Type]: (typeof Page.Type)[K] }

/** Replaces a page of the OpenID library: sets the response header that names the page of the forge to show. */
export const show = (ctx: KoaContextWithOIDC, page: Page): void => {
  ctx.type = "html"
  ctx.body = " "
  ctx.set(pageHeader, encodeURIComponent(JSON.stringify(page)))
}
