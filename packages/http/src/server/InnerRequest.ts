import { Context } from "effect"

/**
 * Whether the service itself makes a request to answer another one, such as a page: the gate has counted the outer one.
 */
export const InnerRequest = Context.Reference<boolean>("@slipway/http/InnerRequest", { defaultValue: () => false })
