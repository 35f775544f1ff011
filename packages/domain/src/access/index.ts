/** @deprecated Import from `@slipway/access`; this entry goes with the next release. */
export * from "@slipway/access"
export * from "../Decided.ts"
