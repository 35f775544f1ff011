import { Context } from "effect"

/**
 * Whether the service itself sends the current request, for example while it renders a page.
 *
 * The rate limits skip such a request, because they have already counted the client's request.
 */
export const InnerRequest = Context.Reference<boolean>("@slipway/http/InnerRequest", { defaultValue: () => false })
